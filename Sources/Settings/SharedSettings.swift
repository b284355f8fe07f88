internal import Timeline

/// Settings that an account can have. If given at the top level, they apply to all accounts that do not have values of their own.
/// Each is nil if it is missing.
struct SharedSettings {
  /// The program to run for new posts.
  enum Hook {
    case none
    /// A program and its arguments.
    case program([String])
  }

  static let keys = ["publish", "feed_posts", "on_new_posts", "notify"]

  var publish: [PublishedFormat]?
  var feedPosts: Int?
  var onNewPosts: Hook?
  var notifies: Bool?

  /// No values are set.
  init() {}

  init(_ values: KeyedValues, _ problems: inout Problems) {
    publish = PublishedFormats.list(values, &problems)
    feedPosts = Self.feedPosts(values, &problems)
    onNewPosts = Self.hook(values, &problems)
    notifies = values.boolean("notify", &problems)
  }

  /// The program; nil for none.
  var program: [String]? { if case .program(let arguments)? = onNewPosts { arguments } else { nil } }

  /// Returns the account's values, filled in with the top-level values in `shared`.
  func over(_ shared: SharedSettings) -> SharedSettings {
    var merged = self
    merged.publish = publish ?? shared.publish
    merged.feedPosts = feedPosts ?? shared.feedPosts
    merged.onNewPosts = onNewPosts ?? shared.onNewPosts
    merged.notifies = notifies ?? shared.notifies
    return merged
  }

  /// Returns the maximum number of posts in a feed of an account or a view; nil if it is not specified.
  static func feedPosts(_ values: KeyedValues, _ problems: inout Problems) -> Int? {
    values.integer("feed_posts", in: ProgramDefaults.keepPostsRange, &problems).map { Int($0) }
  }

  private static func hook(_ values: KeyedValues, _ problems: inout Problems) -> Hook? {
    if values.isNull("on_new_posts") { return Hook.none }
    return ProgramArguments.list(
      "on_new_posts", in: values, orNull: true, atMost: ProgramDefaults.hookArguments, &problems
    ).map(Hook.program)
  }
}

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
      // The user probably derived the format from the file name.
      if text == "json" { return "home_timeline.json is always published: remove it" }
      return "unknown format \(DisplayText.quoted(text))" + DisplayText.suggestion(for: text, among: known)
        + " (known: \(known.joined(separator: ", ")))"
    }
    return list.elements.compactMap { PublishedFormat(rawValue: $0.text) }
  }
}
