internal import JSON
internal import Time
internal import Timeline

/// A post as one line of JSON with the members that a cache needs:
/// `{"id":…,"at":…,"user":…,"name":…,"text":…,"reply":…,"rt":…,"media":[…],"url":…,"likes":…,"rts":…}`. `at` is in
/// seconds since 1970. The values 0 and "" stand for a missing value.
struct PostLine {
  private var id: Int64 = 0
  private var at: Int64 = 0
  private var user = ""
  private var name = ""
  private var text = ""
  private var reply: Int64 = 0
  private var repostedBy = ""
  private var media: [String] = []
  private var likes: Int64 = 0
  private var reposts: Int64 = 0
  /// The line itself, which replaces the provider's own JSON.
  private let source: [UInt8]

  init(_ line: [UInt8]) throws {
    source = line
    var cursor = JSONCursor(line)
    try cursor.members { cursor, name in
      switch name {
      case "id": id = try cursor.integer(in: 0...Int64.max)
      case "at": at = try cursor.integer(in: 0...Int64.max)
      case "user": user = try cursor.string()
      case "name": self.name = try cursor.string()
      case "text": text = try cursor.string()
      case "reply": reply = try cursor.integer(in: 0...Int64.max)
      case "rt": repostedBy = try cursor.string()
      case "media": media = try cursor.list { try $0.string() }
      case "likes": likes = try cursor.integer(in: 0...Int64.max)
      case "rts": reposts = try cursor.integer(in: 0...Int64.max)
      default: _ = try cursor.skip()
      }
    }
    try cursor.end()
  }

  var entry: Page.Entry {
    let id = PostID(String(self.id))
    let author = User(id: user, screenName: user, name: name)
    let post = Post(
      id: id, createdAt: Timestamp(seconds: at), author: author, text: text,
      url: "https://twitter.com/\(user)/status/\(id.text)", language: "en",
      repostedBy: repostedBy.isEmpty ? nil : User(id: repostedBy, screenName: repostedBy, name: repostedBy),
      inReplyTo: reply == 0 ? nil : Post.Reply(id: PostID(String(reply)), screenName: nil),
      media: media.map { Media(kind: .photo, url: $0) },
      counts: Post.Counts(replies: nil, reposts: Int(reposts), likes: Int(likes)))
    return Page.Entry(post: post, key: PostKey(decimal: id)!, source: source[...])
  }
}
