/// An account's name: 1 to 64 of `a-z 0-9 - _ .`, first a letter or digit.
///
/// It names folders, so nothing that a path could be made of gets through; names that begin with `_` are the program's own.
package struct AccountName: Sendable, Hashable, Comparable, CustomStringConvertible {
  package let text: String

  /// The rule in words, for error messages.
  package static let rule = "1 to 64 of a-z 0-9 - _ . and first a letter or digit"

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
