package import CivilTime
package import Timeline

/// A page that a provider has answered and that the database has not taken, because its disk is full or another process keeps it locked:
/// kept in memory until it does.
package struct UnstoredPage: Sendable {
  package let page: Page
  package let place: PagePlace
  package let receivedAt: Timestamp
  /// What the answer has cost, where that is counted.
  package let settlement: Settlement?
  /// The entity tag of the newest page; `nil` for a page below it.
  package let entityTag: String?
  /// Whether it is the newest page.
  package let isNewest: Bool

  package init(
    _ page: Page, as place: PagePlace, receivedAt: Timestamp, settling settlement: Settlement?, entityTag: String?,
    isNewest: Bool
  ) {
    self.page = page
    self.place = place
    self.receivedAt = receivedAt
    self.settlement = settlement
    self.entityTag = entityTag
    self.isNewest = isNewest
  }
}

extension AccountDatabase {
  /// The posts of pages that are not stored which stand above all stored ones, newest first, as they would be published.
  func postsAbove(in pages: [UnstoredPage]) throws(SQLiteError) -> [KnownPost] {
    guard !pages.isEmpty else { return [] }
    let top = try newestPosts(1).first?.mark.key
    let begin = try state().keepsFrom
    var shelf = PostShelf(connection)
    var posts: [PostKey: KnownPost] = [:]
    for page in pages {
      for entry in page.page.entries {
        if let top, entry.key <= top { continue }
        if let begin, entry.post.createdAt < begin { continue }
        guard try shelf.kept(at: entry.key) == nil else { continue }
        posts[entry.key] = try shelf.preview(of: entry)
      }
    }
    return posts.values.sorted { $0.mark > $1.mark }
  }

  /// What is known of the timeline with pages that are not stored.
  func spans(with pages: [UnstoredPage]) throws(SQLiteError) -> Spans {
    var spans = try spans()
    for page in pages {
      switch page.place {
      case .head: spans.insert(head: page.page)
      case .continuing(let cursor): spans.insert(page.page, continuing: cursor)
      }
    }
    return spans
  }
}
