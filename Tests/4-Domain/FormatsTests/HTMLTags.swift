/// Finds names in markup without parsing it. Everything after a `<` counts as a name.
enum HTMLTags {
  static let ofAtom: Set<String> = [
    "?xml", "feed", "id", "title", "updated", "author", "name", "generator", "entry", "published", "link", "content",
  ]

  static func names(in markup: String) -> Set<String> {
    Set(
      tags(in: markup).map { tag in
        String(String.UnicodeScalarView(tag.drop { $0 == "/" }.prefix { !" />".unicodeScalars.contains($0) }))
      })
  }

  /// Returns the names of attributes, which precede `="`, without their values.
  static func attributes(in markup: String) -> Set<String> {
    var names: Set<String> = []
    for tag in tags(in: markup) {
      let pieces = tag.split(separator: "\"", omittingEmptySubsequences: false)
      for (index, piece) in pieces.enumerated() where index.isMultiple(of: 2) && piece.last == "=" {
        names.insert(String(String.UnicodeScalarView(piece.dropLast().split(separator: " ").last ?? [])))
      }
    }
    return names
  }

  private static func tags(in markup: String) -> [[Unicode.Scalar]] {
    let pieces = Array(markup.unicodeScalars).split(separator: "<", omittingEmptySubsequences: false)
    return pieces.dropFirst().map { Array($0.prefix { $0 != ">" }) }
  }
}
