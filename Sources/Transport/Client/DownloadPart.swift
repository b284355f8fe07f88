internal import HTTP

/// The beginning of a file whose transfer broke off.
package struct DownloadPart: Sendable, Hashable {
  package let bytes: [UInt8]
  /// By which the server knows whether the file is still the same: what `If-Range` carries.
  package let validator: String

  package init(bytes: [UInt8], validator: String) {
    self.bytes = bytes
    self.validator = validator
  }

  /// What came of an answer that broke off; `nil` where nothing can go on from it.
  /// - Parameter former: what there was before, if the rest of it was asked for.
  init?(_ response: Response, after former: DownloadPart?) {
    switch response.status.code {
    case 200:
      guard let validator = response.headers.strongValidator, !response.headers.hasCoding else { return nil }
      self.init(bytes: response.body, validator: validator)
    case 206:
      guard let former, let range = former.range(in: response), response.body.count <= range.last - range.first + 1
      else { return nil }
      self.init(bytes: former.bytes + response.body, validator: former.validator)
    default: return nil
    }
  }

  /// The range that an answer carries, if it goes on where this ends, in the same file.
  func range(in response: Response) -> ContentRange? {
    guard let text = response.headers.first("Content-Range"), let range = ContentRange(text),
      range.first == bytes.count, !response.headers.hasCoding
    else { return nil }
    // An answer need not repeat a date; a tag that is another one is another file (RFC 9110 §15.3.7).
    if let tag = response.headers.first("ETag"), validator.hasPrefix("\""), tag != validator { return nil }
    if let date = response.headers.first("Last-Modified"), !validator.hasPrefix("\""), date != validator { return nil }
    return range
  }
}

extension HeaderFields {
  /// Whether the bytes are not those of the file itself, although that was asked for.
  var hasCoding: Bool {
    guard let coding = first("Content-Encoding") else { return false }
    return coding.lowercased() != "identity"
  }
}
