/// The addresses in a text that X replaces by short ones, including those without a scheme (twitter-text, configuration 3).
package enum TextLinks {
  /// Whether a text contains an address, or something that X may take for one, such as an address in an unknown top-level domain.
  package static func mayBe(in text: String) -> Bool { text.contains("://") || !all(in: text).isEmpty }

  /// The addresses as written, in order.
  package static func all(in text: String) -> [String] {
    let scalars = Array(text.unicodeScalars)
    return LinkScanner(scalars).links().map { range in
      var link = String.UnicodeScalarView()
      link.append(contentsOf: scalars[range])
      return String(link)
    }
  }
}
