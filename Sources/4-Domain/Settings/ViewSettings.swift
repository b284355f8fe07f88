package import Timeline

/// A named output with the filtered posts of one or more accounts, merged by time.
package struct ViewSettings: Sendable, Hashable {
  /// The name of the view and of its folder among the published files.
  package var name: AccountName
  /// The accounts. A view that specifies no accounts shows all enabled accounts with a timeline, and is empty while there are none.
  package var accounts: [AccountName]
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
    name: AccountName, accounts: [AccountName], publish: [PublishedFormat] = [],
    keepPosts: Int = ProgramDefaults.viewPosts, feedPosts: Int = ProgramDefaults.feedPosts,
    filter: PostFilter = PostFilter(), foldsCrossPosts: Bool = true
  ) {
    self.name = name
    self.accounts = accounts
    self.publish = publish
    self.keepPosts = keepPosts
    self.feedPosts = feedPosts
    self.filter = filter
    self.foldsCrossPosts = foldsCrossPosts
  }
}

extension ViewSettings {
  static let keys = ["accounts", "publish", "feed_posts", "posts", "fold_cross_posts"] + PostFilter.keys

  /// The accounts that a view can show.
  struct Choice {
    /// All names under `accounts`, including accounts with problems.
    let names: [String]
    /// The accounts that could be read.
    let accounts: [AccountSettings]
    let providers: [String: ProviderDefaults]

    func hasTimeline(_ account: AccountSettings) -> Bool { account.hasTimeline(knowing: providers) }

    /// The accounts shown by a view that does not specify any.
    var usual: [AccountName] { accounts.filter { $0.isEnabled && hasTimeline($0) }.map(\.name) }

    /// Returns the reason this account's posts cannot be shown; nil if they can.
    func fault(of name: String) -> String? {
      guard names.contains(name) else {
        return "there is no account \(DisplayText.quoted(name))" + DisplayText.suggestion(for: name, among: names)
      }
      guard let account = accounts.first(where: { $0.name.text == name }), !hasTimeline(account) else { return nil }
      if let objection = account.drive?.feedObjection { return "the account \(name) has no timeline: \(objection)" }
      return "the provider \(account.provider) of the account \(name) has no timeline"
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
    let accounts = Self.accounts(values, choice, &problems)
    let publish = PublishedFormats.list(values, &problems)
    let feedPosts = SharedSettings.feedPosts(values, &problems)
    let posts = values.integer("posts", in: ProgramDefaults.keepPostsRange, &problems)
    let filter = PostFilter(values, &problems)
    let folds = values.boolean("fold_cross_posts", &problems)
    guard let name, let accounts else { return nil }
    self.init(
      name: name, accounts: accounts, publish: publish ?? shared.publish ?? [],
      keepPosts: posts.map { Int($0) } ?? ProgramDefaults.viewPosts,
      feedPosts: feedPosts ?? shared.feedPosts ?? ProgramDefaults.feedPosts, filter: filter,
      foldsCrossPosts: folds ?? true)
  }

  /// Returns the accounts that a view shows; nil if its list is not usable.
  private static func accounts(
    _ values: KeyedValues, _ choice: Choice, _ problems: inout Problems
  ) -> [AccountName]? {
    let key = "accounts"
    guard values.has(key) else { return choice.usual }
    guard let list = TextList(key, in: values, expecting: "a list of accounts: [\"name\", …]", &problems) else {
      return nil
    }
    if list.elements.isEmpty, list.isComplete {
      values.note("expected a list of accounts: [\"name\", …], found an empty one", at: key, &problems)
    }
    list.check(&problems, for: choice.fault)
    let accounts = list.elements.compactMap { AccountName($0.text) }
    return accounts.isEmpty ? nil : accounts
  }
}
