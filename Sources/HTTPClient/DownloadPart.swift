package import HTTP

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

/// Which bytes of a file an answer with status 206 carries (RFC 9110 §14.4).
package struct ContentRange: Sendable, Hashable {
  package let first: Int
  package let last: Int
  /// `nil` where the server does not say how long the whole is.
  package let total: Int?

  /// Reads `bytes 0-499/1234`; `nil` for anything else, and for numbers that contradict each other.
  package init?(_ text: String) {
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
  /// What `If-Range` may carry to get the rest of this very content: a strong entity tag, else a date of last change that is no
  /// guess (RFC 9110 §8.8.2.2, §13.1.5); `nil` where the server gives neither.
  package var strongValidator: String? {
    if let tag = first("ETag") { return tag.hasPrefix("\"") && tag.utf8.count >= 2 && tag.hasSuffix("\"") ? tag : nil }
    guard let changed = first("Last-Modified"), let date = first("Date"), changed != date else { return nil }
    return changed
  }
}
