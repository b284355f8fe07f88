internal import Time
internal import Timeline

/// The posts, newest first, with dividers for gaps and for the read position.
enum PageFeed {
  static func html(of publication: Publication) -> String {
    let entries = entries(of: publication)
    let thread = PageThread(entries.map(\.item))
    let page = PagePost(publication, thread)
    let mark = readMark(entries.map(\.item))
    var html = "<main id=\"posts\" aria-label=\"Posts, newest first\"\(reloading(publication))>\n"
    var isJoined = false
    for (place, (item, isGap)) in entries.enumerated() {
      if place == mark { html += divider("read", "Read up to here") }
      let joinsBelow = !isGap && place + 1 != mark && thread.continuesBelow(place)
      html += page.html(of: item, joins: (isJoined ? " joined-above" : "") + (joinsBelow ? " joined-below" : ""))
      isJoined = joinsBelow
      if isGap { html += divider("gap", "Posts may be missing here") }
    }
    if entries.isEmpty { html += "<p class=\"empty\">There are no posts here yet.</p>\n" }
    return html + "</main>\n"
  }

  /// Returns the posts with likes, reposts and follows that belong together as one, and whether posts may be missing below each.
  private static func entries(of publication: Publication) -> [(item: PublishedPost, isAboveGap: Bool)] {
    let posts = publication.posts
    let gaps = Set(publication.head.gaps.map(\.before))
    let entries = NoticeGroups.joined(
      posts.map(\.post), account: { posts[$0].account }, isAboveGap: { gaps.contains(posts[$0].post.entryID) })
    return entries.map { entry in
      var item = posts[entry.index]
      item.post = entry.post
      return (item, entry.isAboveGap)
    }
  }

  /// Returns the attribute that states when the script loads the page again; empty if no service rewrites the page.
  private static func reloading(_ publication: Publication) -> String {
    guard publication.renewal == nil, let end = publication.head.freshUntil else { return "" }
    return " data-fresh-until=\"\(end.rfc3339)\""
  }

  /// Returns the index of the newest read post, if all posts above it are unread and all posts below it are read.
  private static func readMark(_ posts: [PublishedPost]) -> Int? {
    guard let place = posts.firstIndex(where: { !$0.isUnread }), place > 0,
      posts[place...].allSatisfy({ !$0.isUnread })
    else { return nil }
    return place
  }

  private static func divider(_ name: String, _ text: String) -> String {
    "<p class=\"divider \(name)\"><span>\(text)</span></p>\n"
  }
}
