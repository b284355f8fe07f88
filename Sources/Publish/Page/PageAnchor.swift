internal import Timeline

/// Where in the page a post stands: the same in every page that has it, so that a link into the page stays good.
enum PageAnchor {
  /// An `id` of the HTML Standard: letters, digits, `-`, and `_` with two hexadecimal digits for any other byte.
  static func name(account: String, post: PostID) -> String { "post-\(encoded(account))-\(encoded(post.text))" }

  private static func encoded(_ text: String) -> String {
    var name = ""
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: name.unicodeScalars.append(Unicode.Scalar(byte))
      default: name += "_" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
      }
    }
    return name
  }
}
