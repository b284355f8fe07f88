internal import HTTP
internal import Time
internal import Timeline

/// The timeline as an Atom feed (RFC 4287).
///
/// The feed contains neither the time of publication nor the read position, so an unchanged timeline produces the same bytes.
enum AtomFeed {
  static func bytes(of publication: Publication) -> [UInt8] {
    let head = publication.head
    // The element is mandatory (RFC 4287 §4.1.1). A timeline without posts gets the epoch.
    let newest = publication.posts.map { updated($0.post) }.max() ?? Timestamp(seconds: 0)
    let lines: [Markup] =
      [
        #"<?xml version="1.0" encoding="UTF-8"?>"#,
        #"<feed xmlns="http://www.w3.org/2005/Atom">"#,
        element("id", EntryID.ofTimeline(head)),
        element("title", FeedTitle.of(head)),
        element("updated", newest.rfc3339),
        author(FeedTitle.owner(of: head)),
        element("generator", "homeline"),
      ] + publication.posts.map(entry) + ["</feed>", ""]
    return lines.joined(separator: "\n").bytes
  }

  private static func entry(of published: PublishedPost) -> Markup {
    let post = published.post
    let language: Markup = LanguageTag.checked(post.language).map { " xml:lang=\"\($0)\"" } ?? ""
    var lines: [Markup] = [
      "<entry\(language)>",
      element("id", EntryID.of(published)),
      element("title", PostTitle.of(post)),
      element("updated", updated(post).rfc3339),
      element("published", post.enteredAt.rfc3339),
      author(PersonName.short(of: post.enteredBy)),
    ]
    if let url = post.url.flatMap(WebLink.init) { lines.append(link("alternate", url)) }
    for other in published.alsoAt.compactMap(WebLink.init) { lines.append(link("related", other)) }
    // The HTML is escaped once more, as the content of an XML element.
    lines.append("<content type=\"html\">\(PostContent.html(of: published).text)</content>")
    lines.append("</entry>")
    return lines.joined(separator: "\n")
  }

  /// Returns when the entry last changed. A post that is edited after a user has liked it makes the like no newer.
  private static func updated(_ post: Post) -> Timestamp { post.notice?.at ?? post.editedAt ?? post.createdAt }

  /// Returns the author without a URI, because posts do not contain the address of their author's page.
  private static func author(_ name: String) -> Markup { "<author>\(element("name", name))</author>" }

  private static func link(_ relation: Markup, _ link: WebLink) -> Markup {
    "<link rel=\"\(relation)\" href=\"\(link.text)\"/>"
  }

  private static func element(_ name: Markup, _ text: String) -> Markup { "<\(name)>\(text)</\(name)>" }
}
