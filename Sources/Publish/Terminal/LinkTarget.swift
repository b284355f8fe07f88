/// Where a link on a terminal leads: an `http` or `https` address of visible ASCII, which can end no escape sequence.
struct LinkTarget: Sendable, Hashable {
  /// What VTE takes; longer ones are left out by it.
  private static let longest = 2083

  let text: String

  init?(_ address: String) {
    guard let link = WebLink(address) else { return nil }
    var encoded = ""
    for byte in link.text.utf8 {
      if (0x21...0x7e).contains(byte) {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    guard encoded.utf8.count <= Self.longest else { return nil }
    text = encoded
  }

  /// The same for the same address: by it a terminal knows the parts of a link that is broken over lines (FNV-1a).
  var identity: String {
    var hash: UInt32 = 0x811c_9dc5
    for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return String(hash, radix: 16)
  }
}
