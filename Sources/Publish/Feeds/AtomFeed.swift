internal import CivilTime
internal import Timeline

/// The timeline as an Atom feed (RFC 4287).
///
/// Nothing in it tells when it was published or what is read: an unchanged timeline gives the same bytes.
enum AtomFeed: EntryFormat {
  static let separator = [UInt8(ascii: "\n")]
  static let end = Array("\n</feed>\n".utf8)

  // Whatever comes from a post has no such bracket left.
  static func places(in file: [UInt8]) -> [Int] { places(of: Array("<entry".utf8), in: file) }

  static func beginning(_ head: TimelineHead, _ entries: EntryList) -> [UInt8] {
    // One must be there (RFC 4287 §4.1.1). Of a timeline without posts nothing has ever been updated.
    let newest = (0..<entries.count).compactMap { updated(entries[$0]) }.max() ?? Timestamp(seconds: 0).rfc3339
    let lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<feed xmlns="http://www.w3.org/2005/Atom">"#,
      element("id", EntryID.ofTimeline(head)),
      element("title", FeedTitle.of(head)),
      element("updated", newest),
      author(FeedTitle.owner(of: head)),
      element("generator", "homeline"),
    ]
    // Each entry begins on a line of its own, and so does the end.
    return Array((lines.joined(separator: "\n") + (entries.count > 0 ? "\n" : "")).utf8)
  }

  /// What an entry says; years of four digits, so that the texts have the order of the times.
  private static func updated(_ entry: ArraySlice<UInt8>) -> String? {
    let name = Array("<updated>".utf8)
    var place = entry.startIndex
    while let next = entry[place...].firstIndex(of: name[0]) {
      if entry[next...].starts(with: name) {
        return String(decoding: entry[(next + name.count)...].prefix { $0 != name[0] }, as: UTF8.self)
      }
      place = next + 1
    }
    return nil
  }

  static func entry(of published: PublishedPost) -> [UInt8] {
    let post = published.post
    let language = LanguageTag.checked(post.language).map { " xml:lang=\"\($0)\"" } ?? ""
    var lines = [
      "<entry\(language)>",
      element("id", EntryID.of(published)),
      element("title", PostTitle.of(post)),
      element("updated", updated(post).rfc3339),
      element("published", post.createdAt.rfc3339),
      author(PersonName.short(of: post.author)),
    ]
    if let url = post.url.flatMap(WebLink.init) { lines.append(link("alternate", url)) }
    for other in published.alsoAt.compactMap(WebLink.init) { lines.append(link("related", other)) }
    // HTML inside XML: escaped once for each.
    lines.append("<content type=\"html\">\(MarkupEscape.text(PostContent.html(of: published)))</content>")
    lines.append("</entry>")
    return Array(lines.joined(separator: "\n").utf8)
  }

  private static func updated(_ post: Post) -> Timestamp { post.editedAt ?? post.createdAt }

  /// Without an address: a provider's posts do not tell where their author's page is.
  private static func author(_ name: String) -> String { "<author>\(element("name", name))</author>" }

  private static func link(_ relation: String, _ link: WebLink) -> String {
    "<link rel=\"\(relation)\" href=\"\(MarkupEscape.text(link.text))\"/>"
  }

  private static func element(_ name: String, _ text: String) -> String {
    "<\(name)>\(MarkupEscape.text(text))</\(name)>"
  }
}
