internal import Timeline

/// Reads the format list of an account, a timeline, a view or the top level.
enum PublishedFormats {
  /// Returns nil if there is no list, so that the inherited list applies. An empty list means no formats.
  /// - Parameter file: the name of the file that is always published.
  static func list(
    _ values: KeyedValues, besides file: String = "home_timeline.json", _ problems: inout Problems
  ) -> [PublishedFormat]? {
    let key = "publish"
    let known = PublishedFormat.allCases.map(\.rawValue)
    guard let list = TextList(key, in: values, expecting: "a list of formats: [\"\(known[0])\", …]", &problems) else {
      return nil
    }
    list.check(&problems) { text in
      if known.contains(text) { return nil }
      // The user has probably written the file's name instead of the format's.
      if text == "json" { return "\(file) is always published: remove it" }
      return "unknown format \(DisplayText.quoted(text))" + DisplayText.suggestion(for: text, among: known)
        + " (known: \(known.joined(separator: ", ")))"
    }
    return list.elements.compactMap { PublishedFormat(rawValue: $0.text) }
  }
}
