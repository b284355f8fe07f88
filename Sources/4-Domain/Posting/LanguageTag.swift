/// The language of a post, as a BCP 47 tag.
package enum LanguageTag {
  /// Returns whether a string has the form of a tag such as `en` or `pt-BR` (RFC 5646 §2.1), without checking the registry.
  package static func isWellFormed(_ text: String) -> Bool {
    let subtags = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return (2...3).contains(subtags[0].count)
      && subtags.allSatisfy { subtag in
        (1...8).contains(subtag.count)
          && subtag.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
              || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          }
      }
  }
}
