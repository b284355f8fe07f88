/// The pictures that are kept, as addresses within the page.
struct PagePictures {
  let paths: [String: String]

  /// The relative reference (RFC 3986 §4.2) of a kept picture, fit for an attribute; `nil` for one that is not kept.
  ///
  /// A path is never taken for anything else: it begins with `./`, and what is not a letter, digit or one of `-._~/` is encoded.
  func path(of address: String) -> String? {
    guard let path = paths[address], !path.isEmpty else { return nil }
    var reference = "./"
    for byte in path.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d...0x2f, 0x5f, 0x7e:
        reference.unicodeScalars.append(Unicode.Scalar(byte))
      default: reference += "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
      }
    }
    return reference
  }
}
