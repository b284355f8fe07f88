import TestSupport
import Testing
import Time
import Timeline

@testable import Formats
@testable import JSON

@Suite struct PostJSONTests {
  @Test("a post is written as compact JSON in the documented order, without the members that have no value")
  func layout() {
    let json = String(decoding: PostJSON.bytes(Samples.small), as: UTF8.self)
    #expect(
      json == """
        {"id":"9007199254740993","created_at":"2026-11-20T16:00:00Z",\
        "author":{"id":"12","screen_name":"jack","name":"jack"},"text":"hello","media":[],"counts":{}}
        """)
  }

  @Test("nested members of a post's JSON have their documented names")
  func nested() {
    let json = String(decoding: PostJSON.bytes(Samples.full), as: UTF8.self)
    #expect(json.contains(#""in_reply_to":{"id":"77"}"#))
    #expect(json.contains(#""media":[{"type":"photo","url":"https://img.example/1.jpg","alt":"a cat & a \"dog\""},"#))
    #expect(
      json.contains(
        #""quoted":{"id":"5","created_at":"2026-11-20T15:59:00Z","author":{"id":"12","screen_name":"jack","name":"jack"},"text":"quoted\ntext","media":[{"type":"video","url":"https://v.example/1.mp4"}]}"#
      ))
    #expect(json.contains(#""counts":{"replies":0,"reposts":3,"likes":9007199254740991}}"#))
  }

  @Test("posts written as JSON are read back unchanged", arguments: [Samples.small, Samples.full])
  func roundTrip(post: Post) throws {
    let bytes = PostJSON.bytes(post)
    #expect(!bytes.contains(UInt8(ascii: "\n")))
    let read = try PostJSON.read(bytes)
    #expect(read == post)
    // Strings that are canonically equivalent compare as equal, so the test compares bytes.
    #expect(Array(read.text.utf8) == Array(post.text.utf8))
    #expect(PostJSON.bytes(read) == bytes)
  }

  @Test("random posts written as JSON are read back unchanged")
  func randomRoundTrips() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      let post = randomPost(&generator)
      #expect(try PostJSON.read(PostJSON.bytes(post)) == post)
    }
  }

  private func randomPost(_ generator: inout SeededGenerator) -> Post {
    func text() -> String {
      let scalars = (0..<Int.random(in: 0...12, using: &generator)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0...0x1_0fff, using: &generator))
      }
      return String(String.UnicodeScalarView(scalars))
    }
    func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &generator) ? value : nil }
    func user() -> User { User(id: text(), screenName: text(), name: text(), avatarURL: maybe(text())) }
    func media() -> [Media] {
      [Media.Kind.photo, .video, .animation, .audio, .other].shuffled(using: &generator).prefix(2).map {
        Media(kind: $0, url: text(), alternativeText: maybe(text()))
      }
    }
    func time() -> Timestamp { Timestamp(seconds: Int64.random(in: 0...253_402_300_799, using: &generator)) }
    return Post(
      id: PostID(text()), createdAt: time(), author: user(), text: text(), url: maybe(text()), language: maybe(text()),
      repostedBy: maybe(user()), inReplyTo: maybe(Post.Reply(id: PostID(text()), screenName: maybe(text()))),
      quoted: maybe(
        Post.Quote(
          id: PostID(text()), createdAt: time(), author: user(), text: text(), url: maybe(text()), media: media())),
      media: media(),
      counts: Post.Counts(replies: maybe(3), reposts: maybe(9_007_199_254_740_991), likes: maybe(0)))
  }

  @Test("members from a later version are skipped, and missing nullable members count as null")
  func tolerance() throws {
    let json = """
      {"new":[1,{"a":null}],"id":"1","created_at":"2026-11-20T16:00:00Z","text":"t",
       "author":{"id":"12","screen_name":"jack","name":"jack","new":1},"media":[{"type":"hologram","url":"u"}]}
      """
    let post = try PostJSON.read(Array(json.utf8))
    #expect(
      post
        == Post(
          id: PostID("1"), createdAt: Samples.time, author: Samples.jack, text: "t",
          media: [Media(kind: .other, url: "u")]))
  }

  @Test("a post without a required member is refused, and the error mentions that member")
  func missing() {
    #expect(throws: PublishedFormatError.missing("author", JSONPosition(line: 1, column: 1))) {
      try PostJSON.read(Array(#"{"id":"1","created_at":"2026-11-20T16:00:00Z","text":"t"}"#.utf8))
    }
    #expect(throws: PublishedFormatError.missing("name", JSONPosition(line: 1, column: 11))) {
      try PostJSON.read(Array(#"{"author":{"id":"1","screen_name":"a"}}"#.utf8))
    }
  }

  @Test("an invalid time in a post's JSON is refused with its position")
  func badTime() {
    let error = #expect(throws: PublishedFormatError.self) {
      try PostJSON.read(Array("{\n \"created_at\": \"yesterday\"}".utf8))
    }
    #expect(error?.description == "line 2, column 16: 'created_at' should be a time such as 2026-11-20T16:00:00Z")
  }

  @Test("an incomplete post is never read from JSON")
  func truncation() {
    let bytes = PostJSON.bytes(Samples.full)
    for length in 0..<bytes.count {
      #expect(throws: PublishedFormatError.self) { try PostJSON.read(Array(bytes.prefix(length))) }
    }
  }
}
