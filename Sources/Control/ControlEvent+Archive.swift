/// What is told of what is kept.
extension ControlEvent {
  /// How far a job has come.
  package struct Progress: Sendable, Hashable {
    package var account: String
    package var done: Int
    /// At most so many; it may end before.
    package var of: Int
    /// How many posts that brought, or removed, until now.
    package var posts: Int

    package init(account: String, done: Int, of: Int, posts: Int) {
      self.account = account
      self.done = done
      self.of = of
      self.posts = posts
    }
  }

  package struct Marked: Sendable, Hashable {
    package var account: String
    /// The post up to which all is read; nil when there is none.
    package var upTo: String?
    /// How many published posts are newer.
    package var unread: Int

    package init(account: String, upTo: String?, unread: Int) {
      self.account = account
      self.upTo = upTo
      self.unread = unread
    }
  }

  package struct Imported: Sendable, Hashable {
    package var account: String
    package var new: Int
    /// How many were kept already, and stayed as they were.
    package var known: Int

    package init(account: String, new: Int, known: Int) {
      self.account = account
      self.new = new
      self.known = known
    }
  }

  package struct Purged: Sendable, Hashable {
    package var account: String
    /// How many posts went, or would go.
    package var posts: Int
    /// How many posts of others lost what they quoted of these, or would.
    package var quotes: Int

    package init(account: String, posts: Int, quotes: Int) {
      self.account = account
      self.posts = posts
      self.quotes = quotes
    }
  }
}
