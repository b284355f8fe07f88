/// A post's id on its provider: opaque text that is only compared for equality.
package struct PostID: Sendable, Hashable, CustomStringConvertible {
  package let text: String
  package init(_ text: String) { self.text = text }
  package var description: String { text }

  /// Whether the id consists of decimal digits.
  package var isDecimal: Bool {
    let bytes = text.utf8.span
    for index in bytes.indices where !(48...57).contains(bytes[index]) { return false }
    return !bytes.isEmpty
  }
}
