internal import Timeline

/// Reads the format list of an account, a view or the top level.
enum PublishedFormats {
  /// Returns nil if there is no list, so that the inherited list applies. An empty list means no formats.
  static func list(_ values: KeyedValues, _ problems: inout Problems) -> [PublishedFormat]? {
    let key = "publish"
    let known = PublishedFormat.allCases.map(\.rawValue)
    guard let list = TextList(key, in: values, expecting: "a list of formats: [\"\(known[0])\", …]", &problems) else {
      return nil
    }
    list.check(&problems) { text in
      if known.contains(text) { return nil }
      // The user has probably written the file's name instead of the format's.
      if text == "json" { return "home_timeline.json is always published: remove it" }
      return "unknown format \(DisplayText.quoted(text))" + DisplayText.suggestion(for: text, among: known)
        + " (known: \(known.joined(separator: ", ")))"
    }
    return list.elements.compactMap { PublishedFormat(rawValue: $0.text) }
  }
}
