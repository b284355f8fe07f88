import Formats
import Platform
import TestSupport
import Time
import Timeline

/// A folder with a timeline in all published formats, and a way to run programs on it.
struct PublishedFolder {
  static let time = Timestamp(rfc3339: "2026-11-20T16:00:00Z")!
  private let folder = TemporaryFolder()

  var path: String { folder.path }
  func path(of format: PublishedFormat) -> String { "\(path)/\(format.fileName(stem: TimelineName.homeStem))" }

  func publish(_ publication: Publication, as formats: [PublishedFormat] = PublishedFormat.allCases) throws {
    for format in formats {
      try AtomicFile.write(format.bytes(of: publication), to: path(of: format), .replaced)
    }
  }

  func write(_ text: String, to name: String) throws {
    try AtomicFile.write(Array(text.utf8), to: "\(path)/\(name)", .replaced)
  }

  func run(
    _ program: String, _ arguments: [String], input: ProgramRun.Input = .nothing
  ) async throws -> ProgramRun.Outcome {
    try await ProgramRun.run(
      program, arguments, environment: ProgramRun.environment(home: path, ["LC_ALL": "C.UTF-8"]), input: input,
      timeout: .seconds(60))
  }

  /// A post with every field, and one for each hostile text.
  static var posts: [PublishedPost] {
    let mira = User(id: "14", screenName: "mira_demo", name: "Mira <&>", avatarURL: "https://i.example/m.png")
    let jack = User(id: "12", screenName: "jack", name: "jack \u{202e}x\u{1b}[31m")
    let full = Post(
      id: PostID("1850000000025165849"), createdAt: time, author: mira, text: "line\nhttps://x.example/?a=1&b=2. <b>",
      url: "https://x.example/mira/1?a=1&b={2}|3", language: "ja", repostedBy: jack,
      inReplyTo: Post.Reply(id: PostID("77"), screenName: "jack"),
      quoted: Post.Quote(
        id: PostID("5"), createdAt: time, author: jack, text: "quoted ]]>", url: "https://x.example/5",
        media: [Media(kind: .video, url: "https://v.example/1.mp4")]),
      media: [
        Media(kind: .photo, url: "https://i.example/1.jpg?a&b", alternativeText: "a cat & a \"dog\""),
        Media(kind: .audio, url: "https://i.example/2.mp3"),
      ], editedAt: time + .seconds(90))
    let hostile = HostileTexts.all.enumerated().map { number, text in
      Post(
        id: PostID("\(number)/\(text.prefix(8))"), createdAt: time - .seconds(60 * (number + 1)),
        author: User(id: "6", screenName: text, name: text, avatarURL: text), text: text, url: text, language: text,
        repostedBy: jack, media: [Media(kind: .photo, url: text, alternativeText: text)])
    }
    return ([full] + hostile).map {
      PublishedPost(
        post: $0, json: PostJSON.bytes($0), account: "bird", isUnread: true,
        alsoAt: ["https://also.example/1", "https://also.example/\($0.text)"]
      )
    }
  }

  static func publication(_ posts: [PublishedPost] = posts) -> Publication {
    let user = User(id: "1", screenName: "me", name: "Me & \"I\"")
    let head = TimelineHead(
      account: "bird", provider: "twitter", user: user, refreshedAt: time, staleSince: time,
      problem: Problem(code: .network, message: "no <route> & \"host\""), unread: posts.count)
    return Publication(head: head, posts: posts, madeAt: time)
  }
}
