internal import JSON
package import Timeline

/// What came of asking for posts.
package enum PageAnswer: Sendable {
  case page(Fetched)
  /// Nothing has changed since the answer whose tag was sent.
  case notModified

  package struct Fetched: Sendable {
    package let page: Page
    /// How many posts could not be read and are missing from the page.
    package let skipped: Int
    /// What the provider may charge for; empty where nothing is charged.
    package let delivered: Delivered
    /// To be sent with the next query of the same content.
    package let etag: String?
    /// Whether there is more above: the page was asked for upwards from a known post and came full, so ask again from its newest.
    package let hasNewer: Bool
    /// How far the timelines of this server reach, in posts from the newest one, where the answer shows which server it is; `nil`
    /// where it does not.
    package let reach: Int?

    package init(
      page: Page, skipped: Int, delivered: Delivered = Delivered(), etag: String? = nil, hasNewer: Bool = false,
      reach: Int? = nil
    ) {
      self.page = page
      self.skipped = skipped
      self.delivered = delivered
      self.etag = etag
      self.hasNewer = hasNewer
      self.reach = reach
    }
  }
}

/// What an answer has brought that a provider may charge for: what was asked for and what came along.
package struct Delivered: Sendable, Hashable {
  /// Ids, some perhaps twice.
  package var posts: [String]
  package var users: [String]
  /// How many came of which no id could be read.
  package var namelessPosts: Int
  package var namelessUsers: Int

  package init(posts: [String] = [], users: [String] = [], namelessPosts: Int = 0, namelessUsers: Int = 0) {
    self.posts = posts
    self.users = users
    self.namelessPosts = namelessPosts
    self.namelessUsers = namelessUsers
  }

  mutating func add(post id: String?) { if let id { posts.append(id) } else { namelessPosts += 1 } }
  mutating func add(user id: String?) { if let id { users.append(id) } else { namelessUsers += 1 } }
}

/// Lists of a timeline's answer, whose length the server chooses.
extension JSONCursor {
  /// How many posts, or things that belong to posts, one answer may have: ten times the largest page that is asked for.
  static let mostOfPage = 2_000

  /// Reads a list of them, of which the cursor stands in front of each in turn.
  /// - Throws: `ProviderError.unreadable` in front of the first one that is too many.
  mutating func pageElements(_ body: (inout JSONCursor) throws -> Void) throws {
    var count = 0
    try elements { cursor in
      count += 1
      guard count <= Self.mostOfPage else {
        throw ProviderError.unreadable(
          "The provider answered with more than \(Self.mostOfPage) posts, or authors or media of posts, where a page of them was "
            + "asked for; nothing of it is taken. Check which provider and endpoints are configured.")
      }
      try body(&cursor)
    }
  }

  /// Takes any value: the elements of such a list, or none.
  mutating func lenientPageElements(_ body: (inout JSONCursor) throws -> Void) throws {
    if try peek() == .array { try pageElements(body) } else { try skip() }
  }
}
