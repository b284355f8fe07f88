import Formats
import TerminalText
import Time
import Timeline

enum Samples {
  static let time = Timestamp(rfc3339: "2026-11-20T16:00:00Z")!

  static let mira = User(id: "14000001", screenName: "mira_demo", name: "Mira", avatarURL: "https://img.example/m.png")
  static let jack = User(id: "12", screenName: "jack", name: "jack")

  static let small = Post(id: PostID("9007199254740993"), createdAt: time, author: jack, text: "hello")

  static let full = Post(
    id: PostID("1850000000025165849"), createdAt: time, author: mira,
    text: "Quotes \" and \\ and / and\nlines,\ttabs, \u{0}\u{1b}\u{7f} and 日本語 👩‍💻 e\u{301} \u{2028}",
    url: "https://twitter.com/m/status/1",
    language: "ja", repostedBy: jack, inReplyTo: Post.Reply(id: PostID("77"), screenName: nil),
    quoted: Post.Quote(
      id: PostID("5"), createdAt: time - .seconds(60), author: jack, text: "quoted\ntext", url: nil,
      media: [Media(kind: .video, url: "https://v.example/1.mp4")]),
    media: [
      Media(kind: .photo, url: "https://img.example/1.jpg", alternativeText: "a cat & a \"dog\""),
      Media(kind: .animation, url: "https://img.example/2.mp4"),
    ], counts: Post.Counts(replies: 0, reposts: 3, likes: 9_007_199_254_740_991))
}

extension PlainText {
  /// Returns a post as the bytes that a terminal gets.
  func string(of post: Post, _ details: PlainText.Details = PlainText.Details()) -> String {
    String(decoding: text(of: post, details).bytes, as: UTF8.self)
  }
}
