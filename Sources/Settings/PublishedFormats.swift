internal import Timeline

/// The list of formats that an account, a view or the top of the file asks for.
enum PublishedFormats {
  /// Nil without one, so that what holds above counts; an empty list asks for none.
  static func list(_ values: KeyedValues, _ problems: inout Problems) -> [PublishedFormat]? {
    let key = "publish"
    let known = PublishedFormat.allCases.map(\.rawValue)
    guard let list = TextList(key, in: values, expecting: "a list of formats: [\"\(known[0])\", …]", &problems) else {
      return nil
    }
    list.check(&problems) { text in
      if known.contains(text) { return nil }
      // What the name of the file suggests.
      if text == "json" { return "home_timeline.json is always published: leave it out" }
      return "unknown format \(Shown.quoted(text))" + Shown.suggestion(for: text, among: known)
        + " (known: \(known.joined(separator: ", ")))"
    }
    return list.elements.compactMap { PublishedFormat(rawValue: $0.text) }
  }
}
