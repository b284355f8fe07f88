package import Timeline

/// A named output of its own: posts of one account, or of several merged by time, as far as its filter lets them through.
package struct ViewSettings: Sendable, Hashable {
  /// Names its folder among the published files, as an account's name does.
  package var name: AccountName
  /// Whose posts; never empty.
  package var accounts: [AccountName]
  /// What is published besides `home_timeline.json`.
  package var publish: [PublishedFormat]
  /// How many posts at most.
  package var keepPosts: Int
  package var filter: PostFilter
  /// Whether the same text by the same person, published through several accounts, is shown once.
  package var foldsCrossPosts: Bool

  package init(
    name: AccountName, accounts: [AccountName], publish: [PublishedFormat] = [],
    keepPosts: Int = ProgramDefaults.viewPosts, filter: PostFilter = PostFilter(), foldsCrossPosts: Bool = true
  ) {
    self.name = name
    self.accounts = accounts
    self.publish = publish
    self.keepPosts = keepPosts
    self.filter = filter
    self.foldsCrossPosts = foldsCrossPosts
  }
}
