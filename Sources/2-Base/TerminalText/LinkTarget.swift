/// The target of a link on a terminal: an address in printable ASCII, which cannot end an escape sequence.
package struct LinkTarget: Sendable, Hashable {
  /// VTE's limit. VTE ignores longer addresses.
  private static let longest = 2083

  package let text: String

  /// - Parameter encoded: an address with all other characters percent-encoded.
  /// - Returns: nil if the address is too long, or contains another character.
  package init?(encoded: String) {
    guard encoded.utf8.count <= Self.longest, encoded.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      return nil
    }
    text = encoded
  }

  /// An id that depends only on the address (FNV-1a). It lets a terminal recognise the parts of a wrapped link.
  var identity: String {
    var hash: UInt32 = 0x811c_9dc5
    for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return String(hash, radix: 16)
  }
}
