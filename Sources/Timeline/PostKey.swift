/// Where a post stands in its timeline: a larger key is a newer post. Made by the provider, compared byte by byte.
package struct PostKey: Sendable, Hashable, Comparable {
  package let text: String

  /// - Parameter text: ASCII, so that its order here and in the database (by bytes) is the same.
  package init(_ text: String) { self.text = text }

  /// The key of a decimal id of any length: its length first, then its digits, so that no number needs to be computed.
  /// - Returns: `nil` when the id is no decimal number of 1 to 99 digits.
  package init?(decimal id: PostID) {
    let digits = id.text.utf8.drop { $0 == UInt8(ascii: "0") }
    guard !id.text.isEmpty, digits.count <= 99, id.text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    text = (digits.count < 10 ? "0" : "") + "\(digits.count)." + String(Substring(digits))
  }

  package static func < (left: PostKey, right: PostKey) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }
}
