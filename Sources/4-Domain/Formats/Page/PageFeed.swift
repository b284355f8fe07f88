package import HTTP
internal import Time
internal import Timeline

/// The posts, newest first, with dividers for gaps and for the read position.
package enum PageFeed {
  /// A post to show. It may represent several likes, reposts or follows that belong together.
  package struct Entry: Sendable {
    package var item: PublishedPost
    /// Whether posts may be missing below it.
    package var isAboveGap: Bool
  }

  static func html(of publication: Publication) -> Markup {
    let gaps = Set(publication.head.gaps.map(\.before))
    let entries = entries(of: publication.posts) { gaps.contains($0.post.entryID) }
    let page = PagePost(
      account: publication.head.account, at: PageTime(now: publication.madeAt), PageThread(entries.map(\.item)),
      PagePostOptions(pictures: PagePictures(paths: publication.pictures)))
    var html: Markup = "<main id=\"posts\" aria-label=\"Posts, newest first\"\(reloading(publication))>\n"
    html += posts(entries, page)
    if entries.isEmpty { html += "<p class=\"empty\">There are no posts here yet.</p>\n" }
    return html + "</main>\n"
  }

  /// Returns the posts as elements, with dividers.
  /// - Parameter page: was created for the thread of these posts.
  package static func posts(_ entries: [Entry], _ page: PagePost) -> Markup {
    let mark = readMark(entries)
    var html = Markup()
    var isJoined = false
    for (place, entry) in entries.enumerated() {
      if place == mark { html += readMark }
      let joinsBelow = !entry.isAboveGap && place + 1 != mark && page.thread.continuesBelow(place)
      let above: Markup = isJoined ? " joined-above" : ""
      let below: Markup = joinsBelow ? " joined-below" : ""
      html += page.html(of: entry.item, joins: above + below)
      isJoined = joinsBelow
      if entry.isAboveGap { html += divider("gap", "Posts may be missing here") }
    }
    return html
  }

  /// Returns the posts with likes, reposts and follows that belong together as one.
  /// - Parameter isAboveGap: returns whether posts may be missing below a post.
  package static func entries(
    of posts: [PublishedPost], isAboveGap: (PublishedPost) -> Bool
  ) -> [Entry] {
    let entries = NoticeGroups.joined(
      posts.map(\.post), account: { posts[$0].account }, isAboveGap: { isAboveGap(posts[$0]) })
    return entries.map { entry in
      var item = posts[entry.index]
      item.post = entry.post
      return Entry(item: item, isAboveGap: entry.isAboveGap)
    }
  }

  /// Returns the attribute that states when the script loads the page again; empty if no service rewrites the page.
  private static func reloading(_ publication: Publication) -> Markup {
    guard publication.renewal == nil, let end = publication.head.freshUntil else { return "" }
    return " data-fresh-until=\"\(end.rfc3339)\""
  }

  /// Returns the index of the newest read post, if all posts above it are unread and all posts below it are read.
  private static func readMark(_ entries: [Entry]) -> Int? {
    guard let place = entries.firstIndex(where: { !$0.item.isUnread }), place > 0,
      entries[place...].allSatisfy({ !$0.item.isUnread })
    else { return nil }
    return place
  }

  /// The divider below the last unread post.
  package static let readMark = divider("read", "Read up to here")

  private static func divider(_ name: Markup, _ text: Markup) -> Markup {
    "<p class=\"divider \(name)\"><span>\(text)</span></p>\n"
  }
}
