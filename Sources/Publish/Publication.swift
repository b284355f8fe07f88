package import CivilTime
package import Timeline

/// All that is published of an account, or of a view over several, at one moment. Each format is a rendering of it.
package struct Publication: Sendable {
  package var head: TimelineHead
  /// Newest first.
  package var posts: [PublishedPost]
  package var overview: Overview
  /// Where pictures lie that are kept here: their path from the published file's folder, by their URL. What is not here is shown
  /// by a link alone.
  package var pictures: [String: String]
  /// When it is published.
  package var madeAt: Timestamp

  package init(
    head: TimelineHead, posts: [PublishedPost], overview: Overview = Overview(), pictures: [String: String] = [:],
    madeAt: Timestamp
  ) {
    self.head = head
    self.posts = posts
    self.overview = overview
    self.pictures = pictures
    self.madeAt = madeAt
  }

  /// How many posts a page shows at most: a browser has to lay them all out.
  package static let postsOfPage = 200

  /// The pictures that a page shows, newest first, each once.
  package var pictureURLs: [String] {
    var seen: Set<String> = []
    return posts.prefix(Self.postsOfPage).flatMap(\.post.pictureURLs).filter { seen.insert($0).inserted }
  }

  /// What the whole timeline looks like, beyond the posts that are published.
  package struct Overview: Sendable, Hashable {
    /// How many posts came in each hour (UTC) of the last week, the hour that is going on last: 168 numbers, or none where
    /// that is not known.
    package var hours: [Int]
    /// How many posts are kept in all.
    package var kept: Int
    /// What was spent of which limit today and this month, in words; empty where nothing is charged.
    package var spending: [String]

    package init(hours: [Int] = [], kept: Int = 0, spending: [String] = []) {
      self.hours = hours
      self.kept = kept
      self.spending = spending
    }
  }
}

/// A post as it is published.
package struct PublishedPost: Sendable, Hashable {
  package var post: Post
  /// The same as it stands in `home_timeline.json`.
  package var json: [UInt8]
  /// The account that it came through.
  package var account: String
  package var isUnread: Bool
  /// Where the same person has published the same text elsewhere: the URLs of those posts, which are left out.
  package var alsoAt: [String]

  package init(post: Post, json: [UInt8], account: String, isUnread: Bool, alsoAt: [String] = []) {
    self.post = post
    self.json = json
    self.account = account
    self.isUnread = isUnread
    self.alsoAt = alsoAt
  }
}
