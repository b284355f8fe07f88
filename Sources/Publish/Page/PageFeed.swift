internal import Timeline

/// The posts, newest first, and what stands between them: where posts may be missing, and up to where everything is read.
enum PageFeed {
  static func html(of publication: Publication) -> String {
    let thread = PageThread(publication.posts)
    let page = PagePost(publication, thread)
    let gaps = Set(publication.head.gaps.map(\.before))
    let mark = readMark(publication.posts)
    var html = "<main id=\"posts\" aria-label=\"Posts, newest first\">\n"
    var isJoined = false
    for (place, item) in publication.posts.enumerated() {
      if place == mark { html += divider("read", "Read up to here") }
      let isGap = gaps.contains(item.post.id)
      let joinsBelow = !isGap && place + 1 != mark && thread.continuesBelow(place)
      html += page.html(of: item, joins: (isJoined ? " joined-above" : "") + (joinsBelow ? " joined-below" : ""))
      isJoined = joinsBelow
      if isGap { html += divider("gap", "Posts may be missing here") }
    }
    if publication.posts.isEmpty { html += "<p class=\"empty\">There are no posts here yet.</p>\n" }
    return html + "</main>\n"
  }

  /// The newest post of those that are read, where all above it are not and all below it are.
  private static func readMark(_ posts: [PublishedPost]) -> Int? {
    guard let place = posts.firstIndex(where: { !$0.isUnread }), place > 0,
      posts[place...].allSatisfy({ !$0.isUnread })
    else { return nil }
    return place
  }

  private static func divider(_ name: String, _ words: String) -> String {
    "<p class=\"divider \(name)\"><span>\(words)</span></p>\n"
  }
}

/// Which posts of the page answer each other.
struct PageThread {
  private let places: [Key: Int]
  private let posts: [PublishedPost]

  private struct Key: Hashable {
    let account: String
    let id: PostID
  }

  init(_ posts: [PublishedPost]) {
    self.posts = posts
    places = Dictionary(
      posts.enumerated().map { (Key(account: $1.account, id: $1.post.id), $0) }, uniquingKeysWith: { first, _ in first }
    )
  }

  /// The post of the page that this one answers.
  func answered(by post: PublishedPost) -> PublishedPost? {
    guard let reply = post.post.inReplyTo else { return nil }
    return places[Key(account: post.account, id: reply.id)].map { posts[$0] }
  }

  /// Whether a person goes on, in the post at this place, with what stands right below it.
  func continuesBelow(_ place: Int) -> Bool {
    guard posts.indices.contains(place + 1) else { return false }
    let (above, below) = (posts[place], posts[place + 1])
    return above.post.inReplyTo?.id == below.post.id && above.account == below.account
      && above.post.author.id == below.post.author.id && above.post.repostedBy == nil && below.post.repostedBy == nil
  }
}

/// Where in the page a post stands: the same in every page that has it, so that a link into the page stays good.
enum PageAnchor {
  /// An `id` of the HTML Standard: letters, digits, `-`, and `_` with two hexadecimal digits for any other byte.
  static func name(account: String, post: PostID) -> String { "post-\(encoded(account))-\(encoded(post.text))" }

  private static func encoded(_ text: String) -> String {
    var name = ""
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: name.unicodeScalars.append(Unicode.Scalar(byte))
      default: name += "_" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
      }
    }
    return name
  }
}
