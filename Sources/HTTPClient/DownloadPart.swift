internal import HTTP

/// The first part of a file whose transfer broke off.
package struct DownloadPart: Sendable, Hashable {
  package let bytes: [UInt8]
  /// The entity tag or date for `If-Range`, which shows the server whether the file is unchanged.
  package let validator: String

  package init(bytes: [UInt8], validator: String) {
    self.bytes = bytes
    self.validator = validator
  }

  /// Extends a part by an interrupted response; nil if the download cannot be resumed.
  /// - Parameter earlier: the part received before, if the request was for the rest of it.
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

  /// The byte range in the response, if it continues the same file exactly where this part ends.
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

extension HeaderFields {
  /// Whether the body has a content coding.
  var hasCoding: Bool {
    guard let coding = first("Content-Encoding") else { return false }
    return coding.lowercased() != "identity"
  }
}

/// The byte range in a response with status 206 (RFC 9110 §14.4).
struct ContentRange: Sendable, Hashable {
  package let first: Int
  package let last: Int
  /// The length of the complete file in bytes; nil if the server does not know it.
  package let total: Int?

  /// Parses `bytes 0-499/1234`. Returns nil for anything else, and for contradictory numbers.
  init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
    let sides = parts[1].split(separator: "/", omittingEmptySubsequences: false)
    guard sides.count == 2 else { return nil }
    let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last else {
      return nil
    }
    if sides[1] == "*" {
      total = nil
    } else {
      guard let total = Self.number(sides[1]), last < total else { return nil }
      self.total = total
    }
    self.first = first
    self.last = last
  }

  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
  }
}

extension HeaderFields {
  /// The validator for `If-Range`: a strong entity tag, otherwise a strong modification date (RFC 9110 §8.8.2.2, §13.1.5);
  /// nil if the server sent neither.
  var strongValidator: String? {
    if let tag = first("ETag") { return tag.hasPrefix("\"") && tag.utf8.count >= 2 && tag.hasSuffix("\"") ? tag : nil }
    guard let changed = first("Last-Modified"), let date = first("Date"), changed != date else { return nil }
    return changed
  }
}
