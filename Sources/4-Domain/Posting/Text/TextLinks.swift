/// The addresses in text that X replaces with short ones, including those without a scheme (twitter-text, configuration 3).
package enum TextLinks {
  /// Returns whether X may find an address in the text, even with a top-level domain that is unknown here.
  package static func mayBe(in text: String) -> Bool { text.contains("://") || !all(in: text).isEmpty }

  /// Returns the addresses in the order and form they are written in.
  package static func all(in text: String) -> [String] {
    let scalars = Array(text.unicodeScalars)
    return LinkScanner(scalars).links().map { range in
      var link = String.UnicodeScalarView()
      link.append(contentsOf: scalars[range])
      return String(link)
    }
  }
}
