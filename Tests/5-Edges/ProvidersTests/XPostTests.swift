import Testing
import Time
import Timeline

@testable import Providers

@Suite struct XPostTests {
  @Test("a post from X is completed from the included objects")
  func whole() throws {
    let post = try XSamples.post(
      #","lang":"en","public_metrics":{"retweet_count":4,"reply_count":1,"like_count":3,"quote_count":0}"#,
      includes: #""users":[\#(XSamples.mira)]"#)
    #expect(
      post.author == User(id: "1", screenName: "mira_demo", name: "Mira & Co", avatarURL: "https://img.example/m.png"))
    #expect(post.createdAt == Samples.time && post.language == "en")
    #expect(post.url == "https://x.com/mira_demo/status/\(XSamples.id(0))")
    #expect(post.counts == Post.Counts(replies: 1, reposts: 4, likes: 3))
  }

  @Test("a post without an included author has the author's id and an empty name")
  func missingAuthor() throws {
    let post = try XSamples.post("")
    #expect(post.author == User(id: "1", screenName: "", name: "") && post.url == nil && post.text == "t")
  }

  @Test("links are expanded, references are decoded, and links to the post's own media are removed")
  func text() throws {
    let post = try XSamples.post(
      #","text":"Tea &amp; bugs &lt;3 https://t.co/aaaaaaaaaa now https://t.co/bbbbbbbbbb","#
        + #""attachments":{"media_keys":["3_1","7_2","3_9"]},"entities":{"urls":["#
        + #"{"start":1,"end":2,"url":"https://t.co/aaaaaaaaaa","expanded_url":"https://example.org/a?b=1&c=2"},"#
        + #"{"url":"https://t.co/bbbbbbbbbb","expanded_url":"https://x.com/mira_demo/status/\#(XSamples.id(0))/photo/1"}]}"#,
      includes: #""media":[{"media_key":"3_1","type":"photo","url":"https://img.example/1.jpg","alt_text":"A cat"},"#
        + #"{"media_key":"7_2","type":"video","preview_image_url":"https://img.example/2.jpg","variants":["#
        + #"{"content_type":"application/x-mpegURL","url":"https://v.example/p.m3u8"},"#
        + #"{"bit_rate":832000,"content_type":"video/mp4","url":"https://v.example/small.mp4"},"#
        + #"{"bit_rate":2176000,"content_type":"video/mp4","url":"https://v.example/large.mp4"}]}]"#)
    #expect(post.text == "Tea & bugs <3 https://example.org/a?b=1&c=2 now")
    #expect(
      post.media == [
        Media(kind: .photo, url: "https://img.example/1.jpg", alternativeText: "A cat"),
        Media(kind: .video, url: "https://v.example/large.mp4"),
      ])
  }

  @Test("a long post has its full text", arguments: ["note_tweet", "note_post"])
  func long(name: String) throws {
    let post = try XSamples.post(
      #","text":"The begin…","\#(name)":{"text":"The beginning and the end https://t.co/x","entities":{"urls":["#
        + #"{"url":"https://t.co/x","expanded_url":"https://example.org/"}]}}"#)
    #expect(post.text == "The beginning and the end https://example.org/")
  }

  static let generations = [("referenced_tweets", "tweets", "retweeted"), ("referenced_posts", "posts", "reposted")]

  @Test(
    "a repost has the full original and its reposter, whether members have their old or new names",
    arguments: generations)
  func repost(member: String, list: String, type: String) throws {
    let post = try XSamples.post(
      #","text":"RT @kai_demo: Long text that is c…","\#(member)":[{"type":"\#(type)","id":"77"}]"#,
      includes:
        #""users":[\#(XSamples.mira),\#(XSamples.kai)],"\#(list)":[{"id":"77","text":"Long text that is cut only here","#
        + #""author_id":"2","created_at":"2026-11-19T09:00:00.000Z","public_metrics":{"like_count":9}}]"#)
    #expect(post.id.text == XSamples.id(0) && post.createdAt == Samples.time)
    #expect(post.text == "Long text that is cut only here")
    #expect(post.author.screenName == "kai_demo" && post.repostedBy?.screenName == "mira_demo")
    #expect(post.url == "https://x.com/kai_demo/status/77" && post.counts.likes == 9)
  }

  @Test("a repost without its original keeps the truncated text and its own author")
  func lostOriginal() throws {
    let post = try XSamples.post(
      #","text":"RT @kai_demo: Long text that is c…","referenced_tweets":[{"type":"retweeted","id":"77"}]"#,
      includes: #""users":[\#(XSamples.mira)]"#)
    #expect(post.text == "RT @kai_demo: Long text that is c…")
    #expect(post.author.screenName == "mira_demo" && post.repostedBy == nil)
  }

  @Test("a post quoted on X keeps its text, and the link to it is removed from the quoting post")
  func quote() throws {
    let members =
      #","text":"Look https://t.co/q","referenced_tweets":[{"type":"quoted","id":"\#(XSamples.id(60))"}],"#
      + #""entities":{"urls":[{"url":"https://t.co/q","expanded_url":"https://twitter.com/kai_demo/status/\#(XSamples.id(60))"}]}"#
    let post = try XSamples.post(
      members,
      includes:
        #""users":[\#(XSamples.kai)],"tweets":[{"id":"\#(XSamples.id(60))","text":"Seen &gt; heard","author_id":"2"}]"#)
    #expect(post.text == "Look")
    #expect(post.quoted?.text == "Seen > heard" && post.quoted?.author.screenName == "kai_demo")
    #expect(post.quoted?.createdAt == Timestamp(seconds: Samples.now.seconds - 60))
    let lost = try XSamples.post(members)
    #expect(lost.quoted == nil && lost.text == "Look https://twitter.com/kai_demo/status/\(XSamples.id(60))")
  }

  @Test("a reply contains the id of the post it answers, and that post's author if the response includes it")
  func reply() throws {
    let members = #","referenced_tweets":[{"type":"replied_to","id":"60"}]"#
    let includes = #""users":[\#(XSamples.kai)],"tweets":[{"id":"60","text":"q","author_id":"2"}]"#
    #expect(
      try XSamples.post(members, includes: includes).inReplyTo == Post.Reply(id: PostID("60"), screenName: "kai_demo"))
    #expect(try XSamples.post(members).inReplyTo == Post.Reply(id: PostID("60"), screenName: nil))
  }

  @Test("members of the wrong type are treated as missing")
  func wrongTypes() throws {
    let post = try XSamples.post(
      #","lang":5,"entities":[],"attachments":"x","referenced_tweets":{},"public_metrics":[1],"note_tweet":"x","#
        + #""edit_history_tweet_ids":"x","author_id":{}"#,
      includes: #""users":{},"tweets":5,"media":[5,null,{"media_key":1}]"#)
    #expect(post.text == "t" && post.author.id == "1" && post.media.isEmpty)
  }

  @Test("the user is read from the response and must have an id and a name")
  func user() throws {
    let user = try Samples.user(#"{"data":\#(XSamples.mira)}"#, by: Samples.x)
    #expect(user == User(id: "1", screenName: "mira_demo", name: "Mira & Co", avatarURL: "https://img.example/m.png"))
    for body in [#"{"data":{"id":"1"}}"#, #"{"data":[]}"#, "{}", #"{"errors":[{"title":"x"}]}"#] {
      #expect(throws: ProviderFailure.self) { try Samples.user(body, by: Samples.x) }
    }
  }
}
