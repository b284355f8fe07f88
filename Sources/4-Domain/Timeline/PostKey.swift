/// A post's position in its timeline: a larger key means a newer post. Providers create keys, which are compared byte by byte.
package struct PostKey: Sendable, Hashable, Comparable {
  package let text: String

  /// - Parameter text: ASCII, so that Swift orders it like the database, which compares bytes.
  package init(_ text: String) { self.text = text }

  /// Creates the key for a decimal id of any length. It consists of the length and the digits, so that no number has to be computed.
  /// - Returns: `nil` if the id is not a decimal number of 1 to 99 digits.
  package init?(decimal id: PostID) {
    guard id.isDecimal else { return nil }
    let digits = id.text.utf8.first == 48 ? String(Substring(id.text.utf8.drop { $0 == 48 })) : id.text
    guard digits.utf8.count <= 99 else { return nil }
    text = Self.lengths[digits.utf8.count] + digits
  }

  /// `00.` to `99.`
  private static let lengths = (0...99).map { ($0 < 10 ? "0" : "") + "\($0)." }

  package static func < (left: PostKey, right: PostKey) -> Bool {
    // ASCII strings sort by their bytes, so comparing memory is enough.
    left.text < right.text
  }
}
