import Testing
import Time

@testable import Timeline

/// Posts that are in a timeline because of an event, and events without a post.
@Suite("Notices") struct NoticeTests {
  private static let time = Timestamp(rfc3339: "2026-11-20T16:00:00Z")!
  private static let ada = User(id: "7", screenName: "ada", name: "Ada", avatarURL: "https://img.example/7.png")
  private static let post = Post(
    id: PostID("100"), createdAt: time, author: User(id: "1", screenName: "mira", name: "Mira"), text: "hello")
  private static let like = Notice(
    id: PostID("9"), kind: "favourite", actors: [ada], group: "favourite-100-5", at: time + .seconds(60),
    text: "two\nlines")
  private static let wave = Notice(id: PostID("10"), kind: "sandbox.wave", at: time)

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func liked(_ change: (inout Post) -> Void = { _ in }) -> Post {
    var post = Self.post
    post.notice = Self.like
    change(&post)
    return post
  }

  @Test("an event is the last member of its post's JSON, and a post without one is written as before")
  func json() throws {
    let plain = text(PostJSON.bytes(Self.post))
    #expect(!plain.contains("notification"))
    let notice =
      #"{"id":"9","kind":"favourite","actors":[{"id":"7","screen_name":"ada","name":"Ada","avatar_url":"https://img.example/7.png"}],"#
      + #""group":"favourite-100-5","at":"2026-11-20T16:01:00Z","text":"two\nlines"}"#
    #expect(text(PostJSON.bytes(of: Self.like)) == notice)
    #expect(text(PostJSON.bytes(liked())) == plain.dropLast() + #","notification":\#(notice)}"#)
    #expect(try PostJSON.read(PostJSON.bytes(liked())) == liked())
    #expect(try PostJSON.readNotice(Array(notice.utf8)) == Self.like)
    #expect(try PostJSON.readNotice(PostJSON.bytes(of: Self.wave)) == Self.wave)
  }

  @Test("the JSON of a stored post, its edit and its event together is the JSON of the whole post")
  func stored() throws {
    let edited = liked { $0.editedAt = Self.time }
    let json = PostJSON.bytes(PostJSON.bytes(Self.post), editedAt: Self.time)
    #expect(PostJSON.bytes(json, notice: PostJSON.bytes(of: Self.like)) == PostJSON.bytes(edited))
    #expect(liked().withoutNotice == Self.post)
  }

  @Test("an event without a post has only its id, its time and the event in JSON, and is read back unchanged")
  func eventOnly() throws {
    for notice in [Self.like, Self.wave] {
      let event = Post(event: notice)
      let json = PostJSON.bytes(event)
      let expected =
        #"{"id":"\#(notice.id)","created_at":"\#(notice.at.rfc3339)","notification":"#
        + text(PostJSON.bytes(of: notice))
      #expect(text(json) == expected + "}")
      let read = try PostJSON.read(json)
      #expect(read == event && read.isEventOnly && read.text.isEmpty)
    }
    #expect(Post(event: Self.like).author == Self.ada && Post(event: Self.wave).author.isUnknown)
    #expect(!liked().isEventOnly)
  }

  @Test("an event without a required member is refused, and members of a later version are skipped")
  func tolerance() throws {
    let json = #"{"new":[{}],"id":"9","kind":"k","at":"2026-11-20T16:00:00Z","text":null}"#
    #expect(try PostJSON.readNotice(Array(json.utf8)) == Notice(id: PostID("9"), kind: "k", at: Self.time))
    for member in [#""id":"9","#, #""kind":"k","#, #","at":"2026-11-20T16:00:00Z""#] {
      #expect(throws: PublishedFormatError.self) {
        try PostJSON.readNotice(Array(json.replacing(member, with: "").utf8))
      }
    }
    // Only a post without any content is an event.
    #expect(throws: PublishedFormatError.self) {
      try PostJSON.read(
        Array(#"{"id":"1","created_at":"2026-11-20T16:00:00Z","text":"t","notification":\#(json)}"#.utf8))
    }
  }

  @Test("an entry of an event is at the notification's place, and its post keeps its own among all posts")
  func entry() {
    let own = Page.Entry(post: Self.post, key: PostKey("03.100"), source: [1], identity: nil)
    let entry = own.noticed(Self.like, at: PostKey("01.9"))
    #expect(entry.mark == PostPosition(id: PostID("9"), key: PostKey("01.9")))
    #expect(entry.postKey == PostKey("03.100") && entry.post == liked() && entry.source == [1])
    #expect(entry.at(PostKey("01.8")).postKey == PostKey("03.100"))
    #expect(entry.post.entryID == PostID("9") && own.post.entryID == PostID("100"))
    #expect(entry.post.enteredAt == Self.like.at && own.post.enteredAt == Self.time)
    #expect(entry.post.enteredBy == Self.ada && own.post.enteredBy == Self.post.author)
  }

  @Test("a page since a time has the events since then, however old their posts are")
  func since() {
    let entry = Page.Entry(post: Self.post, key: PostKey("03.100")).noticed(Self.like, at: PostKey("01.9"))
    let page = Page(entries: [entry], older: nil)
    #expect(page.published(since: Self.time + .seconds(30)).entries == [entry])
    #expect(page.published(since: Self.time + .seconds(90)).entries.isEmpty)
  }

  @Test("the parts of an event are limited, and a group whose name is too long is none")
  func limits() throws {
    let long = String(repeating: "é", count: 20_000)
    let actors = (0..<200).map { User(id: "\($0)", screenName: long, name: long) }
    let notice = Notice(id: PostID("9"), kind: long, actors: actors, group: long, at: Self.time, text: long)
    for post in [Post(event: notice), liked { $0.notice = notice }] {
      let kept = try #require(Page.Entry(post: post, key: PostKey("1")).post.notice)
      #expect(kept.kind.unicodeScalars.count == 1_000 && kept.group == nil && kept.actors.count == 100)
      #expect(kept.text?.unicodeScalars.count == 10_000)
      #expect(kept.actors.allSatisfy { $0.name.unicodeScalars.count == 1_000 })
    }
    #expect(Page.Entry(post: Post(event: notice), key: PostKey("1")).post.isEventOnly)
    #expect(Page.Entry(post: liked(), key: PostKey("1")).post == liked())
  }
}
