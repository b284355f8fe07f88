import Testing
import Time
import Timeline

@testable import Formats
@testable import JSON

@Suite struct TimelineFileTests {
  private let head = TimelineHead(
    account: "bird", provider: "twitter", user: User(id: "38895958", screenName: "theSeanCook", name: "Sean Cook"),
    refreshedAt: Samples.time, freshUntil: Samples.time + .seconds(90), staleSince: Samples.time + .seconds(1),
    problem: Problem(code: .rateLimited, message: "wait \"a bit\"", retryAt: Samples.time + .seconds(900)),
    loginNeededBy: Samples.time + .seconds(30 * 86400),
    gaps: [PublishedGap(after: PostID("1051"), before: PostID("1200"), isFillable: true)])

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test("a timeline file contains its head on one line, followed by one post per line")
  func layout() {
    let bytes = TimelineFile.bytes(head: head, posts: [Array(#"{"id":"2"}"#.utf8), Array(#"{"id":"1"}"#.utf8)])
    #expect(
      text(bytes) == """
        {"schema":2,"account":"bird","provider":"twitter",\
        "user":{"id":"38895958","screen_name":"theSeanCook","name":"Sean Cook"},\
        "refreshed_at":"2026-11-20T16:00:00Z","fresh_until":"2026-11-20T16:01:30Z",\
        "stale_since":"2026-11-20T16:00:01Z",\
        "error":{"code":"rate-limited","message":"wait \\"a bit\\"","retry_at":"2026-11-20T16:15:00Z"},\
        "login_needed_by":"2026-12-20T16:00:00Z","read_up_to":null,"unread":0,\
        "gaps":[{"after":"1051","before":"1200","fillable":true}],"posts":[
        {"id":"2"},
        {"id":"1"}
        ]}

        """)
  }

  @Test("an account that was never refreshed has a file with nulls and no posts")
  func empty() throws {
    let bytes = TimelineFile.bytes(head: TimelineHead(account: "a", provider: "sandbox"), posts: [])
    #expect(
      text(bytes) == """
        {"schema":2,"account":"a","provider":"sandbox","user":null,"refreshed_at":null,"fresh_until":null,\
        "stale_since":null,"error":null,"login_needed_by":null,\
        "read_up_to":null,"unread":0,"gaps":[],"posts":[]}

        """)
    #expect(try TimelineFile.read(bytes).posts.isEmpty)
  }

  @Test("a timeline file is read back with the posts' text unchanged")
  func roundTrip() throws {
    let fragments = [Samples.full, Samples.small].map(PostJSON.bytes)
    let file = try TimelineFile.read(TimelineFile.bytes(head: head, posts: fragments))
    #expect(file.head == head)
    #expect(file.posts == [Samples.full, Samples.small])
    #expect(file.fragments == fragments)
  }

  @Test("a timeline file describes a gap by the ids at its ends")
  func gap() {
    let gap = Gap(
      after: PostPosition(id: PostID("1"), key: PostKey("1")), before: PostPosition(id: PostID("9"), key: PostKey("9")),
      cursor: nil)
    #expect(PublishedGap(gap) == PublishedGap(after: PostID("1"), before: PostID("9"), isFillable: false))
  }

  @Test("the error for a timeline file with a newer schema gives the schema's number, whatever else has changed")
  func newerSchema() {
    #expect(throws: PublishedFormatError.newerSchema(3)) {
      try TimelineFile.read(Array(#"{"posts":{"all":"different"},"account":7,"schema":3}"#.utf8))
    }
  }

  @Test("a timeline file with schema 1 is read, and its freshness is derived from its next refresh")
  func formerSchema() throws {
    func file(_ times: String) throws -> TimelineHead {
      try TimelineFile.read(Array(#"{"schema":1,"account":"a","provider":"p",\#(times)"posts":[]}"#.utf8)).head
    }
    let times = #""refreshed_at":"2026-11-20T16:00:00Z","next_refresh_at":"2026-11-20T16:01:30Z","#
    #expect(try file(times).freshUntil == Samples.time + .seconds(180))
    #expect(try file(#""next_refresh_at":"2026-11-20T16:00:00Z","#).freshUntil == Samples.time + .seconds(60))
    #expect(try file(#""next_refresh_at":null,"#).freshUntil == nil)
  }

  @Test("a timeline file without a schema, or with an invalid schema, is refused")
  func noSchema() {
    #expect(throws: PublishedFormatError.missing("schema", JSONPosition(line: 1, column: 1))) {
      try TimelineFile.read(Array("{}".utf8))
    }
    #expect(throws: PublishedFormatError.self) { try TimelineFile.read(Array(#"{"schema":0}"#.utf8)) }
  }

  @Test("members from a later version of the same schema are skipped, and an unknown error code keeps its message")
  func tolerance() throws {
    let json = """
      {"schema":1,"new":{"a":[1]},"account":"a","provider":"p",
       "error":{"code":"eaten-by-a-cat","message":"Meow.","new":1},
       "gaps":[{"after":"1","before":"2","fillable":false,"size":3}],
       "posts":[ {"id":"1","created_at":"2026-11-20T16:00:00Z","text":"t","new":true,
                  "author":{"id":"12","screen_name":"jack","name":"jack"}} ]}
      """
    let file = try TimelineFile.read(Array(json.utf8))
    #expect(file.head.problem == Problem(code: .provider, message: "Meow."))
    #expect(file.head.gaps.count == 1)
    #expect(file.posts.map(\.id.text) == ["1"])
    #expect(file.fragments.first.map(text)?.contains(#""new":true"#) == true)
  }

  @Test("the error for a malformed timeline file gives the line and column")
  func places() {
    let error = #expect(throws: PublishedFormatError.self) {
      try TimelineFile.read(
        Array("{\"schema\":1,\n\"account\":\"a\",\"provider\":\"p\",\n\"posts\":[\n{\"id\":5}]}".utf8))
    }
    #expect(error?.description == "line 4, column 7: expected a string")
    #expect(throws: PublishedFormatError.missing("posts", JSONPosition(line: 1, column: 1))) {
      try TimelineFile.read(Array(#"{"schema":1,"account":"a","provider":"p"}"#.utf8))
    }
  }

  @Test("an incomplete timeline file is never read")
  func truncation() {
    let bytes = TimelineFile.bytes(head: head, posts: [PostJSON.bytes(Samples.full)])
    for length in 0..<(bytes.count - 1) {
      #expect(throws: PublishedFormatError.self) { try TimelineFile.read(Array(bytes.prefix(length))) }
    }
  }
}

extension TimelineFile {
  /// Returns the whole file.
  static func bytes(head: TimelineHead, posts: some Sequence<[UInt8]>) -> [UInt8] {
    Array(pieces(head: head, posts: PostLines(posts)).joined())
  }
}
