internal import TerminalText

extension LinkTarget {
  /// - Parameter address: any text.
  /// - Returns: nil if the text is not an `http` or `https` address, or is too long.
  init?(_ address: String) {
    guard let link = WebLink(address) else { return nil }
    self.init(
      encoded: ByteReplacement.encoded(link.text, prefix: UInt8(ascii: "%"), uppercase: true) {
        (0x21...0x7e).contains($0)
      })
  }
}
