/// The id of a post in the outbox: `out-` and ten letters or digits.
package struct IntentID: Sendable, Hashable, CustomStringConvertible {
  package let text: String

  private static let prefix = "out-"
  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
  private static let length = 10

  /// Reads an id; `nil` for any other text. An id can safely be part of a path.
  package init?(_ text: String) {
    let rest = text.utf8.dropFirst(Self.prefix.utf8.count)
    guard text.hasPrefix(Self.prefix), rest.count == Self.length, rest.allSatisfy({ Self.alphabet.contains($0) })
    else { return nil }
    self.text = text
  }

  /// Creates a random id.
  package init(using generator: inout some RandomNumberGenerator) {
    let letters = (0..<Self.length).map { _ in Self.alphabet[Int.random(in: 0..<32, using: &generator)] }
    text = Self.prefix + String(decoding: letters, as: UTF8.self)
  }

  /// Creates an id from random bits, of which it contains the lowest 50.
  package init(bits: UInt64) {
    let letters = (0..<Self.length).map { Self.alphabet[Int(bits >> UInt64(5 * $0) & 31)] }
    text = Self.prefix + String(decoding: letters, as: UTF8.self)
  }

  package var description: String { text }
}
