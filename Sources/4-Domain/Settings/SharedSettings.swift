internal import Timeline

/// Settings that an account or a timeline can have. If given at the top level, they apply to all accounts that do not have their own values.
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

  /// - Parameter file: the name of the file that is always published.
  init(_ values: KeyedValues, besides file: String = "home_timeline.json", _ problems: inout Problems) {
    publish = PublishedFormats.list(values, besides: file, &problems)
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

  /// Returns the maximum number of posts in an account's or view's feed; nil if none is set.
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
