/// An account's name: 1 to 64 of `a-z 0-9 - _ .`, beginning with a letter or digit.
///
/// Folders are named after accounts, so characters with a special meaning in paths are not allowed. Names that begin with `_` are reserved
/// for the program.
package struct AccountName: Sendable, Hashable, Comparable, CustomStringConvertible {
  package let text: String

  /// The rule as text, for error messages.
  package static let rule = "1 to 64 of the characters a-z 0-9 . - _, beginning with a letter or digit"

  package init?(_ text: String) {
    let bytes = text.utf8
    guard (1...64).contains(bytes.count), let first = bytes.first, Self.isLetterOrDigit(first),
      bytes.allSatisfy({ Self.isLetterOrDigit($0) || "-_.".utf8.contains($0) })
    else { return nil }
    self.text = text
  }

  package var description: String { text }

  package static func < (left: AccountName, right: AccountName) -> Bool { left.text < right.text }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
