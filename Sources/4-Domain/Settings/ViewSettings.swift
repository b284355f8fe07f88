package import Timeline

/// A named output with the filtered posts of one or more timelines, merged by time.
package struct ViewSettings: Sendable, Hashable {
  /// The name of the view and of its folder among the published files.
  package var name: AccountName
  /// The timelines. A view that specifies none shows the home timelines of all enabled accounts that have one, and is empty while there are
  /// none.
  package var timelines: [TimelineKey]
  /// The formats published in addition to `home_timeline.json`.
  package var publish: [PublishedFormat]
  /// The maximum number of posts.
  package var keepPosts: Int
  /// The maximum number of posts in a feed.
  package var feedPosts: Int
  package var filter: PostFilter
  /// Whether text that the same person published through several accounts is shown only once.
  package var foldsCrossPosts: Bool

  init(
    name: AccountName, timelines: [TimelineKey], publish: [PublishedFormat] = [],
    keepPosts: Int = ProgramDefaults.viewPosts, feedPosts: Int = ProgramDefaults.feedPosts,
    filter: PostFilter = PostFilter(), foldsCrossPosts: Bool = true
  ) {
    self.name = name
    self.timelines = timelines
    self.publish = publish
    self.keepPosts = keepPosts
    self.feedPosts = feedPosts
    self.filter = filter
    self.foldsCrossPosts = foldsCrossPosts
  }
}

extension ViewSettings {
  static let keys = ["accounts", "publish", "feed_posts", "posts", "fold_cross_posts"] + PostFilter.keys

  /// The timelines that a view can show.
  struct Choice {
    /// All names under `accounts`, including accounts with problems.
    let names: [String]
    /// The accounts that could be read.
    let accounts: [AccountSettings]
    let providers: [String: ProviderDefaults]

    func hasTimeline(_ account: AccountSettings) -> Bool { account.hasTimeline(knowing: providers) }

    /// The timelines shown by a view that does not specify any.
    var usual: [TimelineKey] {
      accounts.filter { $0.isEnabled && hasTimeline($0) }.map { TimelineKey.home(of: $0.name) }
    }

    /// Returns the timeline that a view names as `ACCOUNT` or `ACCOUNT/TIMELINE`, or the reason its posts cannot be shown. Returns neither if
    /// the account has problems, which have been reported.
    func timeline(named text: String) -> (key: TimelineKey?, fault: String?) {
      let (name, timeline) = TimelineKey.parts(of: text)
      guard names.contains(name) else {
        let suggestion = DisplayText.suggestion(for: name, among: names)
        return (nil, "there is no account \(DisplayText.quoted(name))" + suggestion)
      }
      guard let account = accounts.first(where: { $0.name.text == name }) else { return (nil, nil) }
      guard hasTimeline(account) else {
        let fault =
          account.drive?.feedObjection.map { "the account \(name) has no timeline: \($0)" }
          ?? "the provider \(account.provider) of the account \(name) has no timeline"
        return (nil, fault)
      }
      guard let timeline else { return (.home(of: account.name), nil) }
      do throws(UnknownTimelineError) {
        return (TimelineKey(account: account.name, timeline: try account.timeline(named: timeline)), nil)
      } catch { return (nil, "\(error)") }
    }
  }

  /// Reads a view's settings. Returns nil if a problem makes this impossible. All problems are reported.
  init?(
    _ member: ConfigurationTree.Member, of choice: Choice, _ shared: SharedSettings, _ problems: inout Problems
  ) {
    let path = KeyedValues.join("views", member.name)
    let name = AccountName(member.name)
    if name == nil { problems.add("a view name must be \(AccountName.rule)", at: member.offset, path: path) }
    guard
      let values = KeyedValues(
        member.value, path: path, offset: member.offset, keys: Self.keys, &problems)
    else { return nil }
    let timelines = Self.timelines(values, choice, &problems)
    let publish = PublishedFormats.list(values, &problems)
    let feedPosts = SharedSettings.feedPosts(values, &problems)
    let posts = values.integer("posts", in: ProgramDefaults.keepPostsRange, &problems)
    let filter = PostFilter(values, &problems)
    let folds = values.boolean("fold_cross_posts", &problems)
    guard let name, let timelines else { return nil }
    self.init(
      name: name, timelines: timelines, publish: publish ?? shared.publish ?? [],
      keepPosts: posts.map { Int($0) } ?? ProgramDefaults.viewPosts,
      feedPosts: feedPosts ?? shared.feedPosts ?? ProgramDefaults.feedPosts, filter: filter,
      foldsCrossPosts: folds ?? true)
  }

  /// Returns the timelines that a view shows; nil if its list is not usable.
  private static func timelines(
    _ values: KeyedValues, _ choice: Choice, _ problems: inout Problems
  ) -> [TimelineKey]? {
    let key = "accounts"
    guard values.has(key) else { return choice.usual }
    guard let list = TextList(key, in: values, expecting: "a list of accounts: [\"name\", …]", &problems) else {
      return nil
    }
    if list.elements.isEmpty, list.isComplete {
      values.note("expected a list of accounts: [\"name\", …], found an empty one", at: key, &problems)
    }
    list.check(&problems) { choice.timeline(named: $0).fault }
    var timelines: [TimelineKey] = []
    for element in list.elements {
      guard let key = choice.timeline(named: element.text).key else { continue }
      if !timelines.contains(key) {
        timelines.append(key)
      } else if !list.elements.prefix(while: { $0.offset < element.offset }).contains(where: { $0.text == element.text }
      ) {
        // The same text has already been reported.
        problems.add("\(key) is in the list under another name too", at: element.offset, path: element.path)
      }
    }
    return timelines.isEmpty ? nil : timelines
  }
}
