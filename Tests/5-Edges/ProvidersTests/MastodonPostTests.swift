import Testing
import Time
import Timeline

@testable import Providers

@Suite struct MastodonPostTests {
  private func post(_ members: String) throws -> Post { try MastodonSamples.post(members) }

  @Test("a Mastodon post has its author, time, address, language and counts")
  func plain() throws {
    let post = try post(
      #""uri":"https://far.example/1","url":"https://social.example/@mira/100","content":"<p>Hi</p>","language":"de","#
        + #""replies_count":1,"reblogs_count":2,"favourites_count":3,"edited_at":null,"pinned":false"#)
    #expect(
      post.author
        == User(
          id: "14715", screenName: "mira", name: "Mira :blob:", avatarURL: "https://img.example/14715.png"))
    #expect(post.text == "Hi" && post.url == "https://social.example/@mira/100" && post.language == "de")
    #expect(post.createdAt == Samples.time && post.counts == Post.Counts(replies: 1, reposts: 2, likes: 3))
    #expect(post.repostedBy == nil && post.quoted == nil && post.inReplyTo == nil && post.media.isEmpty)
  }

  @Test(
    "a post's address is ignored if it is not a web address",
    arguments: ["javascript:alert(1)", "", "https://a b", "tag:x"])
  func addresses(url: String) throws {
    let quoted = MastodonSamples.quoted(url)
    #expect(try post(#""url":\#(quoted),"uri":"https://far.example/1","content":"x""#).url == "https://far.example/1")
    #expect(try post(#""url":\#(quoted),"uri":"tag:far,2026:1","content":"x""#).url == nil)
  }

  @Test("a boost has its own id and position, and the content of the boosted post")
  func boost() throws {
    let original =
      #"{"id":"7","created_at":"2020-01-01T00:00:00Z","account":\#(MastodonSamples.kai),"content":"<p>Old</p>","#
      + #""url":"https://far.example/@kai/7","media_attachments":[{"type":"image","url":"https://img.example/p.png"}]}"#
    let post = try post(#""content":"<p>RT</p>","reblog":\#(original)"#)
    #expect(post.id.text == "100" && post.createdAt == Samples.time)
    #expect(post.author.screenName == "kai@far.example" && post.repostedBy?.screenName == "mira")
    #expect(post.text == "Old" && post.url == "https://far.example/@kai/7" && post.media.count == 1)
  }

  private static let quotes = [
    #""quote":{"state":"accepted","quoted_status":Q}"#, #""quote":Q"#, #""pleroma":{"quote":Q,"local":true}"#,
  ]

  @Test("all three forms of a quote are shown, and the link to the quoted post is removed", arguments: quotes)
  func quote(member: String) throws {
    let quoted =
      #"{"id":"7","created_at":"2026-11-20T15:00:00.000Z","account":\#(MastodonSamples.kai),"content":"<p>Said</p>","#
      + #""quote":{"state":"accepted","quoted_status":{"id":"6"}}}"#
    let html = #"<p class="quote-inline">RE: <a href="https://far.example/7">far.example/7</a></p><p>See</p>"#
    let content = #""content":\#(MastodonSamples.quoted(html)),"#
    let post = try post(content + member.replacing("Q", with: quoted))
    #expect(post.quoted?.text == "Said" && post.quoted?.author.screenName == "kai@far.example")
    #expect(post.quoted?.id.text == "7" && post.text == "See")
  }

  @Test(
    "the link to a quoted post is kept if the quoted post is missing",
    arguments: [
      #"{"state":"revoked","quoted_status":null}"#, #"{"state":"accepted","quoted_status_id":"7"}"#, "null", "[]",
    ])
  func noQuote(quote: String) throws {
    let html = #"<p class=\"quote-inline\">RE: <a href=\"https://far.example/7\">x</a></p>"#
    let post = try post(#""content":"\#(html)","quote":\#(quote)"#)
    #expect(post.quoted == nil && post.text == "RE: x (https://far.example/7)")
  }

  @Test(
    "a post's text begins with the content warning and ends with the poll's options, but not its votes or remaining time"
  )
  func warningAndPoll() throws {
    let poll =
      #""poll":{"id":"1","votes_count":9,"options":[{"title":"Tea","votes_count":4},{"title":"Coffee"},{"x":1}]}"#
    #expect(
      try post(#""spoiler_text":"food","content":"<p>Which?</p>",\#(poll)"#).text
        == "CW: food\n\nWhich?\n\n[poll] Tea / Coffee")
    #expect(try post(#""spoiler_text":"","content":"",\#(poll)"#).text == "[poll] Tea / Coffee")
    #expect(try post(#""spoiler_text":"only","content":"""#).text == "CW: only")
  }

  @Test("a post's media keep their kind and alternative text")
  func media() throws {
    let media = try post(
      #""content":"","media_attachments":[{"type":"image","url":"https://i.example/1.png","description":"A cat"},"#
        + #"{"type":"gifv","url":"https://i.example/2.mp4","description":null},{"type":"video","url":"https://i.example/3.mp4"},"#
        + #"{"type":"audio","url":"https://i.example/4.ogg","description":""},{"type":"unknown","url":null,"#
        + #""remote_url":"https://far.example/5.bin"},{"type":"image","url":"javascript:x","preview_url":null},7]"#
    ).media
    #expect(
      media == [
        Media(kind: .photo, url: "https://i.example/1.png", alternativeText: "A cat"),
        Media(kind: .animation, url: "https://i.example/2.mp4"), Media(kind: .video, url: "https://i.example/3.mp4"),
        Media(kind: .audio, url: "https://i.example/4.ogg"), Media(kind: .other, url: "https://far.example/5.bin"),
      ])
  }

  @Test("a reply gets the recipient's name from its mentions, or from its own author")
  func reply() throws {
    let mentions =
      #""mentions":[{"id":"22","username":"kai","acct":"kai@far.example","url":"https://far.example/@kai"}]"#
    let reply = #""content":"x","in_reply_to_id":"7","in_reply_to_account_id""#
    #expect(try post(#"\#(reply):"22",\#(mentions)"#).inReplyTo?.screenName == "kai@far.example")
    #expect(try post(#"\#(reply):"14715",\#(mentions)"#).inReplyTo?.screenName == "mira")
    #expect(try post(#"\#(reply):"99",\#(mentions)"#).inReplyTo == Post.Reply(id: PostID("7"), screenName: nil))
  }

  @Test("an edited post keeps its id and position and gets the new text")
  func edited() throws {
    let before = try MastodonSamples.fetched("[\(MastodonSamples.status(#""content":"<p>a</p>""#))]").page.entries[0]
    let edited = #""content":"<p>b</p>","edited_at":"2026-11-20T16:10:00.000Z""#
    let after = try MastodonSamples.fetched("[\(MastodonSamples.status(edited))]").page.entries[0]
    #expect(before.key == after.key && before.post.id == after.post.id && after.post.text == "b")
  }

  @Test("a Mastodon user has an acct, a name and an avatar")
  func user() throws {
    let user = try MastodonSamples.user(Samples.respond(MastodonSamples.mira))
    #expect(
      user == User(id: "14715", screenName: "mira", name: "Mira :blob:", avatarURL: "https://img.example/14715.png"))
    let bare = try MastodonSamples.user(Samples.respond(#"{"id":5,"username":"x","display_name":""}"#))
    #expect(bare == User(id: "5", screenName: "x", name: "x"))
    let long = String(repeating: "n", count: 5_000)
    let named = #"{"id":"5","acct":"x","display_name":"\#(long)"}"#
    #expect(try MastodonSamples.user(Samples.respond(named)).name == long)
    for body in ["{}", "[]", #"{"id":"5"}"#, #"{"acct":"x"}"#, "{\"id\":", "", "null"] {
      #expect(throws: ProviderFailure.self) { try MastodonSamples.user(Samples.respond(body)) }
    }
  }
}
