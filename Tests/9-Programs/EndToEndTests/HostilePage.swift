import Formats
import Time
import Timeline

/// A timeline with malicious text in every field.
enum HostilePage {
  static let now = Timestamp(rfc3339: "2026-11-20T16:00:00Z")!

  /// Strings that set `window.owned` if they run as a script.
  static let scripts = [
    "<script>window.owned=1</script>", "<img src=x onerror=window.owned=1>", "</style><script>window.owned=1</script>",
    "--><script>window.owned=1</script>", "]]><svg onload=window.owned=1>", "\" onmouseover=\"window.owned=1\" x=\"",
    "' onfocus='window.owned=1' autofocus tabindex='0", "</title></textarea></noscript><script>window.owned=1</script>",
    "<iframe srcdoc='<script>parent.owned=1</script>'></iframe>", "<base href='http://evil.example/'>",
    "<meta http-equiv=refresh content='0;url=http://evil.example/'>",
    "<link rel=stylesheet href=http://evil.example/s.css>",
    "&lt;script&gt;window.owned=1&lt;/script&gt;", "<!-- ",
  ]

  static let addresses = [
    "javascript:window.owned=1", "JaVaScRiPt:window.owned=1", " javascript:window.owned=1",
    "java\nscript:window.owned=1",
    "data:text/html,<script>window.owned=1</script>", "file:///etc/passwd", "//evil.example/x", "vbscript:x",
    "https://ok.example/\" onclick=\"window.owned=1", "http://evil.example\\@ok.example/",
    "https://evil.example@ok.example/",
  ]

  /// The files that the page's picture paths resolve to. Each is a PNG of one pixel.
  static let files = ["javascript:window.owned=1", "evil.example/p.png"]
  static let pixel: [UInt8] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
    0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3a, 0x7e, 0x9b, 0x55, 0x00, 0x00, 0x00,
    0x0a, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x68, 0x00, 0x00, 0x00, 0x82, 0x00, 0x81, 0xda, 0x45, 0x08,
    0x3b, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
  ]

  private static let account = "</title><script>window.owned=1</script>"
  /// The account's name, as encoded in the anchors of posts.
  private static let encodedAccount = "_3c_2ftitle_3e_3cscript_3ewindow_2eowned_3d1_3c_2fscript_3e"

  static let publication = Publication(
    head: TimelineHead(
      account: account, provider: "<b onclick=window.owned=1>",
      user: User(id: "1", screenName: scripts[0], name: "\u{202e}" + scripts[1], avatarURL: addresses[0]),
      refreshedAt: now - .seconds(60), freshUntil: now + .seconds(240), staleSince: now - .seconds(9000),
      problem: Problem(code: .network, message: "<script>window.owned=1</script>" + marks, retryAt: now + .seconds(60)),
      readUpTo: PostID("s0"), unread: 1,
      gaps: [PublishedGap(after: PostID("s2"), before: PostID("s1"), isFillable: false)]),
    posts: posts, overview: .init(hours: Array(repeating: 3, count: 168), kept: 40, spending: scripts),
    pictures: ["https://img.example/p\"><script>": "javascript:window.owned=1", addresses[0]: "//evil.example/p.png"],
    madeAt: now)

  /// Ten thousand combining marks on four letters. They extend above the Cyrillic and below the Hebrew letters, and
  /// cover neighbouring text unless they are clipped.
  static let marks = String(repeating: tower + well, count: 2) + " end"
  private static let tower = "\u{0501}" + String(repeating: "\u{0301}", count: 2500)
  private static let well = "\u{05d0}" + String(repeating: "\u{05b7}\u{0591}", count: 1250)
  static let override = "\u{202e}gnihton\u{202d}\u{2066}\u{2067}\u{202b} reversed \u{200f}אבג"
  static let longWord = String(repeating: "Donaudampfschifffahrt", count: 60)

  /// The anchors of the posts that try to paint outside their box.
  static let spills = ["marks", "override", "long"].map { "post-" + encodedAccount + "-" + $0 }

  private static let posts: [PublishedPost] =
    scripts.enumerated().map {
      post("s\($0)", $1, name: $1, address: addresses[$0 % addresses.count], isUnread: $0 == 0)
    }
    + addresses.enumerated().map { post("a\($0)", "see \($1) and http://ok.example/\($1)", name: "A", address: $1) }
    + [
      post("plain-1", "Above the marks.", name: "Plain", address: "https://ok.example/1"),
      post("marks", marks, name: marks, address: "https://ok.example/m"),
      post("plain-2", "Below the marks, above the overrides.", name: "Plain", address: "https://ok.example/2"),
      post("override", override, name: override, address: "https://ok.example/r"),
      post("plain-3", "Below the overrides.", name: "Plain", address: "https://ok.example/3"),
      post("long", longWord, name: longWord, address: "https://ok.example/" + longWord),
      post("\" onclick=\"window.owned=1", "An id like that.", name: "Id", address: "https://ok.example/4"),
    ]

  private static func post(_ id: String, _ text: String, name: String, address: String, isUnread: Bool = false)
    -> PublishedPost
  {
    let user = User(id: id, screenName: name, name: name, avatarURL: address)
    let media = [
      Media(kind: .photo, url: address, alternativeText: text),
      Media(kind: .photo, url: "https://img.example/p\"><script>", alternativeText: text),
    ]
    return PublishedPost(
      post: Post(
        id: PostID(id), createdAt: now - .seconds(120), author: user, text: text, url: address, language: name,
        repostedBy: user, inReplyTo: Post.Reply(id: PostID("s0"), screenName: name),
        quoted: Post.Quote(
          id: PostID("q"), createdAt: now, author: user, text: text, url: address, media: media),
        media: media, counts: Post.Counts(replies: .max, reposts: -1, likes: 1), editedAt: now),
      json: [], account: account, isUnread: isUnread, alsoAt: [address])
  }
}
