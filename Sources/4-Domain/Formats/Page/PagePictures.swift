/// The stored pictures, as addresses relative to the page.
struct PagePictures {
  let paths: [String: String]

  /// Returns a stored picture's relative reference (RFC 3986 §4.2), for use in an attribute; `nil` if the picture is not stored.
  ///
  /// The reference begins with `./`, and all characters except letters, digits and `-._~/` are encoded, so it can only be a path.
  func path(of address: String) -> String? {
    guard let path = paths[address], !path.isEmpty else { return nil }
    return "./"
      + ByteReplacement.encoded(path, prefix: UInt8(ascii: "%"), uppercase: false) { byte in
        switch byte {
        case UInt8(ascii: "-")...UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: UTF8Text.isLetterOrDigit(byte)
        }
      }
  }
}
