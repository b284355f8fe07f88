internal import HTTP

/// The first part of a file whose transfer was interrupted.
package struct DownloadPart: Sendable, Hashable {
  package let bytes: [UInt8]
  /// The entity tag or date for `If-Range`, which shows the server whether the file is unchanged.
  package let validator: String

  package init(bytes: [UInt8], validator: String) {
    self.bytes = bytes
    self.validator = validator
  }

  /// Creates the part received so far from an interrupted response; nil if the download cannot be resumed.
  /// - Parameter earlier: the part received before, if the request was for the rest of the file.
  init?(_ response: Response, after earlier: DownloadPart?) {
    switch response.status.code {
    case 200:
      guard let validator = response.headers.strongValidator, !response.headers.hasCoding else { return nil }
      self.init(bytes: response.body, validator: validator)
    case 206:
      guard let earlier, let range = earlier.range(in: response), response.body.count <= range.last - range.first + 1
      else { return nil }
      self.init(bytes: earlier.bytes + response.body, validator: earlier.validator)
    default: return nil
    }
  }

  /// Returns the byte range in the response, if the response continues the same file exactly where this part ends.
  func range(in response: Response) -> ContentRange? {
    guard let text = response.headers.first("Content-Range"), let range = ContentRange(text),
      range.first == bytes.count, !response.headers.hasCoding
    else { return nil }
    // A response may omit the date. A different entity tag means a different file (RFC 9110 §15.3.7).
    if let tag = response.headers.first("ETag"), validator.hasPrefix("\""), tag != validator { return nil }
    if let date = response.headers.first("Last-Modified"), !validator.hasPrefix("\""), date != validator { return nil }
    return range
  }
}
