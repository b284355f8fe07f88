package import Settings

extension Command {
  /// The arguments of `show`.
  package struct Show: Sendable, Hashable {
    package enum Format: String, Sendable, Hashable, CaseIterable {
      /// For people.
      case text
      /// One array of posts as they stand in the file.
      case json
      /// A post a line.
      case jsonl
    }

    /// Nil means the only account that there is.
    package var account: AccountName?
    /// How many posts at most.
    package var limit: Int
    package var format: Format
    /// Whether all published accounts are shown as one, merged by time.
    package var mergesAll: Bool
    /// A view instead of an account.
    package var view: AccountName?
    /// Whether only posts are shown that are not marked as read.
    package var onlyUnread: Bool
    /// Whether it goes on with the posts that come.
    package var follows: Bool

    package init(
      account: AccountName? = nil, limit: Int = 20, format: Format = .text, mergesAll: Bool = false,
      view: AccountName? = nil, onlyUnread: Bool = false, follows: Bool = false
    ) {
      self.account = account
      self.limit = limit
      self.format = format
      self.mergesAll = mergesAll
      self.view = view
      self.onlyUnread = onlyUnread
      self.follows = follows
    }
  }
}
