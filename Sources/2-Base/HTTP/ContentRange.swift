/// The byte range in a response with status 206 (RFC 9110 §14.4).
package struct ContentRange: Sendable, Hashable {
  package let first: Int
  package let last: Int
  /// The length of the complete file in bytes; nil if the server does not know it.
  package let total: Int?

  /// Parses a value such as `bytes 0-499/1234`. Returns nil for any other form, for contradictory numbers, and for numbers that no file
  /// size can have.
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
    text.hasPrefix("-") ? nil : HeaderNumber.read(text, in: HeaderNumber.sizes)
  }
}

extension HeaderFields {
  /// Whether the body has a content coding.
  package var hasCoding: Bool {
    guard let coding = first(.contentEncoding) else { return false }
    return coding.lowercased() != "identity"
  }

  /// The validator for `If-Range`: a strong entity tag, otherwise a strong modification date (RFC 9110 §8.8.2.2, §13.1.5); nil if the
  /// server sent no strong validator.
  package var strongValidator: String? {
    if let tag = first("ETag") { return tag.hasPrefix("\"") && tag.utf8.count >= 2 && tag.hasSuffix("\"") ? tag : nil }
    guard let changed = first("Last-Modified"), let date = first("Date"), changed != date else { return nil }
    return changed
  }
}
