package import Time
internal import Timeline

/// The content of an account or a view at a given moment. Each format is rendered from it.
package struct Publication: Sendable {
  package var head: TimelineHead
  /// The posts, newest first.
  package var posts: [PublishedPost]
  package var overview: Overview
  /// The paths of stored pictures, relative to the published file's folder, by URL. A picture that is not stored is shown as a link.
  package var pictures: [String: String]
  /// The time of publication.
  package var madeAt: Timestamp
  /// The command that renders the page again; `nil` if the service does.
  package var renewal: String?

  package init(
    head: TimelineHead, posts: [PublishedPost], overview: Overview = Overview(), pictures: [String: String] = [:],
    madeAt: Timestamp, renewal: String? = nil
  ) {
    self.head = head
    self.posts = posts
    self.overview = overview
    self.pictures = pictures
    self.madeAt = madeAt
    self.renewal = renewal
  }

  /// The maximum number of posts on a page, which a browser has to lay out.
  package static let postsOfPage = 200

  /// The pictures that a page shows, newest first, without duplicates.
  package var pictureURLs: [String] {
    var seen: Set<String> = []
    return posts.prefix(Self.postsOfPage).flatMap(\.post.pictureURLs).filter { seen.insert($0).inserted }
  }

  /// Numbers about the whole timeline, beyond the published posts.
  package struct Overview: Sendable, Hashable {
    /// The number of posts in each hour (UTC) of the last week, oldest first, ending with the current hour: 168 numbers, or none if they
    /// are unknown.
    package var hours: [Int]
    /// The total number of stored posts.
    package var kept: Int
    /// The amounts spent today and this month, with their limits, as text; empty if there are no charges.
    package var spending: [String]

    package init(hours: [Int] = [], kept: Int = 0, spending: [String] = []) {
      self.hours = hours
      self.kept = kept
      self.spending = spending
    }
  }
}
