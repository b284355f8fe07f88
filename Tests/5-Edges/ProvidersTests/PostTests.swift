import Testing
import Time
import Timeline

@testable import Providers

@Suite struct PostTests {
  @Test("a plain post is read with all its members")
  func plain() throws {
    let members = #"""
      "full_text":"Second coffee & a bug. https://t.co/abcdefghij","truncated":false,"display_text_range":[0,46],
      "entities":{"hashtags":[],"urls":[{"url":"https://t.co/abcdefghij","expanded_url":"https://example.org/a?b=1",
      "display_url":"example.org/a?b=1","indices":[23,46]}]},"source":"<a href=\"https://example.org\">demo</a>",
      "in_reply_to_status_id":99,"in_reply_to_status_id_str":"99","in_reply_to_screen_name":"kai_demo",
      "geo":null,"place":null,"retweet_count":3,"favorite_count":10,"lang":"en"
      """#
    #expect(
      try Samples.post(members)
        == Post(
          id: PostID("100"), createdAt: Samples.time,
          author: User(id: "14000001", screenName: "mira_demo", name: "Mira"),
          text: "Second coffee & a bug. https://example.org/a?b=1",
          url: "https://twitter.com/mira_demo/status/100", language: "en",
          inReplyTo: Post.Reply(id: PostID("99"), screenName: "kai_demo"),
          counts: Post.Counts(replies: nil, reposts: 3, likes: 10)))
  }

  @Test("a repost has its own id and time, and the original's author, text, address, media and counts")
  func repost() throws {
    let original = #"""
      {"id_str":"50","created_at":"Thu Nov 19 10:00:00 +0000 2026","user":\#(Samples.kai),"full_text":"The whole long text",
      "lang":"de","retweet_count":7,"favorite_count":8,"in_reply_to_status_id":40,
      "extended_entities":{"media":[{"type":"photo","media_url_https":"https://img.example/1.jpg"}]}}
      """#
    let post = try Samples.post(
      #""full_text":"RT @kai_demo: The whole lo…","favorite_count":0,"retweet_count":7,"retweeted_status":\#(original)"#
    )
    #expect(post.id.text == "100" && post.createdAt == Samples.time)
    #expect(post.author.screenName == "kai_demo" && post.repostedBy?.screenName == "mira_demo")
    #expect(post.text == "The whole long text" && post.language == "de")
    #expect(post.url == "https://twitter.com/kai_demo/status/50")
    #expect(post.media.map(\.url) == ["https://img.example/1.jpg"])
    #expect(post.counts == Post.Counts(reposts: 7, likes: 8))
    #expect(post.inReplyTo?.id.text == "40")
  }

  @Test("a repost without its original is shown unchanged")
  func repostWithoutOriginal() throws {
    let post = try Samples.post(#""full_text":"RT @kai: x","retweeted_status":null"#)
    #expect(post.text == "RT @kai: x" && post.repostedBy == nil && post.author.screenName == "mira_demo")
    #expect(try Samples.post(#""full_text":"RT @kai: x","retweeted_status":{}"#).text == "RT @kai: x")
  }

  @Test("a quoted post is kept with its text, and the link to it is removed from the quoting post")
  func quote() throws {
    let quoted = #"""
      {"id_str":"60","created_at":"Thu Nov 19 10:00:00 +0000 2026","user":\#(Samples.kai),
      "full_text":"I said &lt;this&gt; https://t.co/inner","entities":{"urls":[
        {"url":"https://t.co/inner","expanded_url":"https://twitter.com/x/status/61"}]},
      "quoted_status":{"id_str":"61","created_at":"Thu Nov 19 09:00:00 +0000 2026","full_text":"deeper"}}
      """#
    let post = try Samples.post(
      #"""
      "full_text":"Look: https://t.co/quoted","entities":{"urls":[
        {"url":"https://t.co/quoted","expanded_url":"https://twitter.com/kai_demo/status/60?s=20"}]},
      "quoted_status":\#(quoted)
      """#)
    #expect(post.text == "Look:")
    #expect(
      post.quoted
        == Post.Quote(
          id: PostID("60"), createdAt: Timestamp(rfc3339: "2026-11-19T10:00:00Z")!,
          author: User(id: "14000002", screenName: "kai_demo", name: "Kai"),
          text: "I said <this> https://twitter.com/x/status/61", url: "https://twitter.com/kai_demo/status/60",
          media: []))
  }

  @Test("the link to a quoted post is kept if that post is missing")
  func quoteGone() throws {
    let members = #"""
      "full_text":"Look: https://t.co/quoted","is_quote_status":true,"quoted_status_id_str":"60","entities":{"urls":[
        {"url":"https://t.co/quoted","expanded_url":"https://twitter.com/kai_demo/status/60"}]}
      """#
    #expect(try Samples.post(members).text == "Look: https://twitter.com/kai_demo/status/60")
  }

  @Test("the link to a quoted post is also recognised by the post's permalink")
  func quotePermalink() throws {
    let post = try Samples.post(
      #"""
      "full_text":"Look: https://t.co/q","quoted_status_permalink":{"url":"https://t.co/q","expanded":"https://x.example"},
      "quoted_status":{"id_str":"60","created_at":"\#(Samples.date)","full_text":"q"}
      """#)
    #expect(post.text == "Look:" && post.quoted?.text == "q")
  }

  @Test("a video's address is the address of its best MP4 variant")
  func film() throws {
    let media = #"""
      {"type":"video","media_url_https":"https://img.example/still.jpg","url":"https://t.co/v","ext_alt_text":"a cat",
      "video_info":{"variants":[{"content_type":"application/x-mpegURL","url":"https://v.example/list.m3u8"},
      {"bitrate":320000,"content_type":"video/mp4","url":"https://v.example/small.mp4"},
      {"bitrate":2176000,"content_type":"video/mp4","url":"https://v.example/large.mp4"},
      {"bitrate":832000,"content_type":"video/mp4","url":"https://v.example/middle.mp4"}]}}
      """#
    let gif = #"""
      {"type":"animated_gif","media_url_https":"https://img.example/still2.jpg",
      "video_info":{"variants":[{"bitrate":0,"content_type":"video/mp4","url":"https://v.example/gif.mp4"}]}}
      """#
    let post = try Samples.post(#""full_text":"","extended_entities":{"media":[\#(media),\#(gif)]}"#)
    #expect(
      post.media == [
        Media(kind: .video, url: "https://v.example/large.mp4", alternativeText: "a cat"),
        Media(kind: .animation, url: "https://v.example/gif.mp4"),
      ])
  }

  @Test("a video without an MP4 variant gets the address of another variant or of its still picture")
  func filmWithoutMP4() throws {
    let list =
      #"{"type":"video","media_url_https":"https://i.example/s.jpg","video_info":{"variants":[{"content_type":"x","url":"https://v.example/l"}]}}"#
    let still = #"{"type":"video","media_url":"http://i.example/s.jpg","video_info":null}"#
    let post = try Samples.post(#""full_text":"","entities":{"media":[\#(list),\#(still),{"type":"photo"}]}"#)
    #expect(post.media.map(\.url) == ["https://v.example/l", "http://i.example/s.jpg"])
  }

  @Test("all pictures of a post are taken from extended_entities, because entities contains only the first picture")
  func pictures() throws {
    func photo(_ number: Int) -> String {
      #"{"type":"photo","media_url":"http://i.example/\#(number)","media_url_https":"https://i.example/\#(number)","url":"https://t.co/p"}"#
    }
    let post = try Samples.post(
      #""full_text":"Two: https://t.co/p","entities":{"media":[\#(photo(1))]},"extended_entities":{"media":[\#(photo(1)),\#(photo(2))]}"#
    )
    #expect(post.media.map(\.url) == ["https://i.example/1", "https://i.example/2"])
    #expect(post.text == "Two:")
  }

  @Test("a GNU social status has a numeric id, its own address, attachments and plain text")
  func gnuSocial() throws {
    let body = #"""
      [{"text":"hello &amp; welcome","truncated":false,"created_at":"Fri Nov 20 16:59:58 +0100 2026",
      "in_reply_to_status_id":7,"uri":"tag:social.example,2026:objectType=note","source":"web","id":8,
      "in_reply_to_screen_name":"bob","user":{"id":3,"name":"Ann","screen_name":"ann","profile_image_url_https":"https://social.example/a.png"},
      "external_url":"https://social.example/notice/8","statusnet_html":"<b>hello</b>","statusnet_conversation_id":5,
      "attachments":[{"url":"https://social.example/a.jpg","mimetype":"image/jpeg","size":1},{"url":"https://x.example/","mimetype":"text/html"}]}]
      """#
    let post = try Samples.fetched(body, by: Samples.other).page.entries[0].post
    #expect(
      post
        == Post(
          id: PostID("8"), createdAt: Samples.time,
          author: User(id: "3", screenName: "ann", name: "Ann", avatarURL: "https://social.example/a.png"),
          text: "hello &amp; welcome", url: "https://social.example/notice/8",
          inReplyTo: Post.Reply(id: PostID("7"), screenName: "bob"),
          media: [Media(kind: .photo, url: "https://social.example/a.jpg")]))
  }

  @Test("no address is invented for posts from servers other than X")
  func noAddress() throws {
    #expect(try Samples.post(#""full_text":"t""#, by: Samples.other).url == nil)
    #expect(
      try Samples.post(#""full_text":"t","uri":"https://social.example/objects/1""#, by: Samples.other).url
        == "https://social.example/objects/1")
  }

  @Test("a screen name that would change the address produces no address")
  func hostileScreenName() throws {
    let body = #"[{"id_str":"1","created_at":"\#(Samples.date)","full_text":"t","user":{"screen_name":"../evil?"}}]"#
    #expect(try Samples.fetched(body).page.entries[0].post.url == nil)
  }

  @Test("nulls and wrong types in optional members do not lose data")
  func wrongTypes() throws {
    let members = #"""
      "full_text":"t","entities":null,"extended_entities":[1],"lang":5,"retweet_count":"many","favorite_count":-1,
      "reply_count":1e99,"in_reply_to_status_id_str":{},"in_reply_to_status_id":null,"retweeted_status":"no","quoted_status":[],
      "truncated":"yes","extended_tweet":7,"attachments":{},"external_url":{"a":1},"quoted_status_permalink":false
      """#
    let post = try Samples.post(members)
    #expect(post.text == "t" && post.counts == Post.Counts() && post.media.isEmpty && post.inReplyTo == nil)
    let entities =
      #""full_text":"t","entities":{"urls":[null,{"url":1},{"url":"https://t.co/a","expanded_url":null}],"media":[null,{}]}"#
    #expect(try Samples.post(entities).text == "t")
  }

  @Test("a post with a missing or incomplete author is kept")
  func missingAuthor() throws {
    let body =
      #"[{"id":1,"created_at":"\#(Samples.date)","text":"a"},{"id":2,"created_at":"\#(Samples.date)","text":"b","user":{"id":5}},{"id":3,"created_at":"\#(Samples.date)","text":"c","user":null}]"#
    let authors = try Samples.fetched(body).page.entries.map(\.post.author)
    #expect(authors.map(\.id) == ["", "5", ""])
  }

  @Test("the last usable value of a duplicate member is used")
  func doubledMembers() throws {
    let post = try Samples.post(#""full_text":"first","full_text":"second","full_text":null,"lang":"en","lang":"de""#)
    #expect(post.text == "second" && post.language == "de")
  }

  @Test("newer time formats are read, and the times of posts are kept in whole seconds")
  func isoTime() throws {
    let body = #"[{"id":"1","created_at":"2026-11-20T16:59:58.750+01:00","text":"a"}]"#
    #expect(try Samples.fetched(body).page.entries[0].post.createdAt == Samples.time)
  }

  @Test("a generated page of 200 posts is read completely")
  func bigPage() throws {
    let first = 1_850_000_000_025_165_849
    let posts = (0..<200).map { number in
      Samples.status(
        #"""
        "full_text":"Post \#(number) of &lt;many&gt; 日本語 https://t.co/\#(number)","retweet_count":\#(number),
        "entities":{"hashtags":[{"text":"a","indices":[1,2]}],"urls":[{"url":"https://t.co/\#(number)","expanded_url":"https://example.com/\#(number)"}]},
        "place":{"bounding_box":{"coordinates":[[[1.5,-2e3],[0,0]]]}}
        """#, id: "\(first - number)")
    }
    let fetched = try Samples.fetched("[" + posts.joined(separator: ",\n") + "]\n")
    #expect(fetched.skipped == 0 && fetched.page.entries.count == 200)
    for (number, entry) in fetched.page.entries.enumerated() {
      #expect(entry.post.id.text == "\(first - number)")
      #expect(entry.post.text == "Post \(number) of <many> 日本語 https://example.com/\(number)")
      #expect(entry.post.counts.reposts == number)
    }
    #expect(fetched.page.older == PageCursor("\(first - 200)"))
  }
}
