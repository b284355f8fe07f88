import TestSupport
import Time
import Timeline

@testable import Formats

/// Publications that together contain every element of the page and the feeds.
enum ElaborateSample {
  static let hostile = [
    "<script>x</script>", "\"><img src=x onerror=x>", "'><b>", "</style>", "-->", "]]>", "&lt;b&gt;", "</title>",
    "\u{202e}x", "\u{0}\u{1b}[31m\u{7f}",
    "a\nb\r\nc\td", "\u{fffe}\u{ffff}", "\u{2069}\u{feff}", "<\u{301}\"\u{20e3}", "日本語 👩‍💻",
    "https://x.example/?a=1&b='2'\"", "javascript:x",
    "see http://y.example/<b> and https://z.example/(a).", "CW: warning\n\nrest", "",
  ]
  static let plain = [
    "Hello", "a text with https://x.example/path?a=1&b=2 in it", "two\nlines", "Ada", "quoted \"text\" & more", "",
    "日本語",
  ]

  static func publication(_ random: inout SeededGenerator, isHostile: Bool) -> Publication {
    func text() -> String {
      let texts = isHostile ? hostile : plain
      return (0..<Int.random(in: 1...2, using: &random)).map { _ in texts.randomElement(using: &random) ?? "" }.joined(
        separator: " ")
    }
    func maybe<T>(_ value: @autoclosure () -> T) -> T? { Bool.random(using: &random) ? value() : nil }
    func address() -> String {
      isHostile && Bool.random(using: &random)
        ? text() : "https://h\(Int.random(in: 0...9, using: &random)).example/a?b&c"
    }
    let users = (0..<5).map { n in
      User(id: "\(n)\(isHostile ? text() : "")", screenName: text(), name: text(), avatarURL: maybe(address()))
    }
    func user() -> User { users.randomElement(using: &random) ?? users[0] }
    func time() -> Timestamp { Samples.time - .seconds(Int64.random(in: 0...200_000, using: &random)) }
    func media() -> [Media] {
      (0..<Int.random(in: 0...3, using: &random)).map { _ in
        Media(
          kind: [Media.Kind.photo, .video, .animation, .audio, .other].randomElement(using: &random) ?? .photo,
          url: address(),
          alternativeText: maybe(text()))
      }
    }
    let kinds = [
      "mention", "status", "reblog", "favourite", "follow", "follow_request", "poll", "update", "quote",
      "quoted_update",
      "severed_relationships", "moderation_warning", "admin.sign_up", "admin.report", text(),
    ]
    func notice(_ n: Int) -> Notice {
      Notice(
        id: PostID("n\(n)"), kind: kinds.randomElement(using: &random) ?? "",
        actors: (0..<Int.random(in: 0...3, using: &random)).map { _ in user() },
        group: nil, at: time(), text: maybe(text()))
    }
    let posts = (0..<14).reversed().map { n -> PublishedPost in
      var post = Post(
        id: PostID("\(n)\(isHostile ? "<" : "")"), createdAt: time(), author: user(), text: text(),
        url: maybe(address()),
        language: maybe(isHostile ? text() : "en"), repostedBy: n % 5 == 0 ? user() : nil,
        inReplyTo: n % 3 == 0
          ? Post.Reply(id: PostID("\(n - 1)\(isHostile ? "<" : "")"), screenName: maybe(text())) : nil,
        quoted: n % 7 == 0
          ? Post.Quote(
            id: PostID("q\(n)"), createdAt: time(), author: user(), text: text(), url: maybe(address()), media: media())
          : nil,
        media: media(),
        counts: Post.Counts(
          replies: maybe(Int.random(in: -1...5_000_000, using: &random)), reposts: maybe(3), likes: maybe(1)),
        editedAt: n % 4 == 0 ? time() : nil,
        filter: n % 9 == 0 ? ServerFilter([.warn, .blur].randomElement(using: &random) ?? .warn, title: text()) : nil,
        notice: n % 6 == 0 ? notice(n) : nil)
      if n % 11 == 0 { post = Post(event: notice(n)) }
      return PublishedPost(
        post: post, json: [], account: n % 8 == 0 ? text() : "demo", isUnread: n > 9,
        alsoAt: n % 5 == 1 ? [address(), address()] : [])
    }
    var pictures: [String: String] = [:]
    for address in posts.flatMap(\.post.pictureURLs) where Bool.random(using: &random) {
      pictures[address] = isHostile ? "media/\(text())" : "media/ab cd.jpg"
    }
    let isFailing = Bool.random(using: &random)
    let codes: [Problem.Code] = [
      .notAuthorised, .rateLimited, .network, .provider, .closed, .locked, .paused, .budget, .storage, .configuration,
      .secretUnavailable,
    ]
    let head = TimelineHead(
      account: isHostile ? text() : "demo", provider: text(), user: maybe(user()), refreshedAt: maybe(time()),
      freshUntil: maybe(Samples.time + .seconds(Int64.random(in: 0...2000, using: &random))),
      staleSince: isFailing ? time() : nil,
      problem: isFailing
        ? maybe(Problem(code: codes.randomElement(using: &random) ?? .network, message: text(), retryAt: maybe(time())))
        : nil,
      loginNeededBy: maybe(Samples.time + .seconds(Int64.random(in: -10...800_000, using: &random))), unread: 9,
      gaps: [PublishedGap(after: PostID("1"), before: posts[3].post.id, isFillable: true)])
    return Publication(
      head: head, posts: posts,
      overview: .init(
        hours: maybe((0..<168).map { _ in max(0, Int.random(in: -5...20, using: &random)) }) ?? [],
        kept: Int.random(in: 0...20000, using: &random),
        spending: [text(), text()].filter { _ in Bool.random(using: &random) }),
      pictures: pictures, madeAt: Samples.time + .seconds(600), renewal: maybe(text()))
  }
}
