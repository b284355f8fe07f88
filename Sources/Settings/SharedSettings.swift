internal import Timeline

/// What an account may say, and the top of the file for every account that does not; each nil for what is not said.
struct SharedSettings {
  /// What is run when there are new posts.
  enum Hook {
    case none
    /// A program and its arguments.
    case program([String])
  }

  static let keys = ["publish", "on_new_posts", "notify"]

  var publish: [PublishedFormat]?
  var onNewPosts: Hook?
  var notifies: Bool?

  /// Nothing said.
  init() {}

  init(_ values: KeyedValues, _ problems: inout Problems) {
    publish = PublishedFormats.list(values, &problems)
    onNewPosts = Self.hook(values, &problems)
    notifies = values.boolean("notify", &problems)
  }

  /// The program; nil for none.
  var program: [String]? { if case .program(let words)? = onNewPosts { words } else { nil } }

  /// What holds for an account that says this, where `shared` holds for all.
  func over(_ shared: SharedSettings) -> SharedSettings {
    var merged = self
    merged.publish = publish ?? shared.publish
    merged.onNewPosts = onNewPosts ?? shared.onNewPosts
    merged.notifies = notifies ?? shared.notifies
    return merged
  }

  private static func hook(_ values: KeyedValues, _ problems: inout Problems) -> Hook? {
    if values.isNull("on_new_posts") { return Hook.none }
    return ProgramWords.list(
      "on_new_posts", in: values, orNull: true, atMost: ProgramDefaults.hookWords, &problems
    ).map(Hook.program)
  }
}

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
