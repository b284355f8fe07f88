/// Where a post stands in its timeline: a larger key is a newer post. Made by the provider, compared byte by byte.
package struct PostKey: Sendable, Hashable, Comparable {
  package let text: String

  /// - Parameter text: ASCII, so that its order here and in the database (by bytes) is the same.
  package init(_ text: String) { self.text = text }

  /// The key of a decimal id of any length: its length first, then its digits, so that no number needs to be computed.
  /// - Returns: `nil` when the id is no decimal number of 1 to 99 digits.
  package init?(decimal id: PostID) {
    guard !id.text.isEmpty, id.text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    let digits = id.text.utf8.first == 48 ? String(Substring(id.text.utf8.drop { $0 == 48 })) : id.text
    guard digits.utf8.count <= 99 else { return nil }
    text = Self.lengths[digits.utf8.count] + digits
  }

  /// `00.` to `99.`
  private static let lengths = (0...99).map { ($0 < 10 ? "0" : "") + "\($0)." }

  package static func < (left: PostKey, right: PostKey) -> Bool {
    // Of ASCII the order of strings is that of bytes, and found by comparing memory.
    left.text < right.text
  }
}
