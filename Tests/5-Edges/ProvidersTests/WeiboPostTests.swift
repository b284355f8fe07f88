import HomelineOAuth
import Bytes
import Testing
import Time
import Timeline

@testable import Providers

@Suite struct WeiboPostTests {
  @Test("the text of a Weibo post is read as written, including emoticon codes, and without the source application")
  func whole() throws {
    let entry = try #require(
      try WeiboSamples.page(WeiboSamples.timeline([WeiboSamples.whole])).page.entries.first)
    let post = entry.post
    #expect(post.id.text == "5230000000000200" && entry.key == PostKey(decimal: post.id))
    #expect(post.createdAt == WeiboSamples.time)
    #expect(post.text == "测试 一条微博 & 表情[哈哈]😀")
    #expect(post.author.id == "1000000002" && post.author.screenName == "朋友甲")
    #expect(post.counts == Post.Counts(replies: 1, reposts: 0, likes: 2))
    #expect(post.media.map(\.url) == ["http://img.example/l/1.jpg"])
    #expect(post.inReplyTo == nil && post.quoted == nil && post.repostedBy == nil && post.language == nil)
  }

  @Test("times in China's time zone are converted to UTC, even across midnight and New Year")
  func time() throws {
    func time(_ text: String) throws -> Timestamp {
      try WeiboSamples.post(#""created_at":"\#(text)","text":"t""#).createdAt
    }
    #expect(try time("Fri Jan 01 07:59:59 +0800 2027") == Timestamp(rfc3339: "2026-12-31T23:59:59Z"))
    #expect(try time("Wed Feb 29 00:00:00 +0800 2012") == Timestamp(rfc3339: "2012-02-28T16:00:00Z"))
  }

  /// Ids and their short forms, as published on other sites.
  static let addresses = [
    ("3501756485200075", "z0JH2lOMb"), ("3500330408906190", "z08AUBmUe"), ("4404101091169383", "I1IGF4Ud1"),
    ("4607741009594608", "K3fnuEfZK"), ("4331051486294436", "Hd1N2qpta"),
  ]

  @Test("the address of a Weibo post contains the short form of its id", arguments: addresses)
  func address(id: String, short: String) throws {
    let post = try WeiboSamples.page(WeiboSamples.timeline([WeiboSamples.status(id)])).page.entries.first?.post
    #expect(post?.url == "https://weibo.com/1000000002/\(short)")
  }

  @Test("no address is invented for posts from servers other than Weibo")
  func otherServer() throws {
    let other = try #require(try Weibo(at: ProviderLocation(.oauth2, at: RequestURL("http://127.0.0.1:9"))))
    let response = Samples.respond(WeiboSamples.timeline([WeiboSamples.whole]))
    guard case .page(let fetched) = try other.page(from: response, for: TimelineQuery(count: 9)) else {
      throw Samples.NotAPage()
    }
    #expect(fetched.page.entries.first?.post.url == nil)
  }

  static let cutTexts = [
    ("长长的故事", "长长的故事…"), ("长长的故事...", "长长的故事…"), ("长长的故事… \u{200b}", "长长的故事…"),
    ("长长的故事...全文： http://m.weibo.cn/1/2 \u{200b}", "长长的故事...全文： http://m.weibo.cn/1/2 …"), ("", "…"),
  ]

  @Test("truncated text is never presented as complete", arguments: cutTexts)
  func cut(text: String, shown: String) throws {
    #expect(try WeiboSamples.post(#""text":"\#(text)","isLongText":true"#).text == shown)
    #expect(try WeiboSamples.post(#""text":"长长的故事...","isLongText":false"#).text == "长长的故事...")
  }

  @Test("a repost keeps its own text and quotes the original")
  func repost() throws {
    let original = #"""
      {"created_at":"Thu Nov 19 08:00:00 +0800 2026","idstr":"5229000000000000","text":"原文 &lt;3","isLongText":true,
       "user":{"idstr":"1000000003","screen_name":"朋友乙"},"pic_urls":[{"thumbnail_pic":"http://img.example/t/9.jpg"}]}
      """#
    let post = try WeiboSamples.post(#""text":"转发微博","reposts_count":7,"retweeted_status":\#(original)"#)
    #expect(post.author.screenName == "朋友甲" && post.text == "转发微博" && post.repostedBy == nil)
    #expect(post.counts.reposts == 7 && post.media.isEmpty)
    let quoted = try #require(post.quoted)
    #expect(quoted.author.screenName == "朋友乙" && quoted.text == "原文 <3…")
    #expect(quoted.id.text == "5229000000000000" && quoted.media.map(\.url) == ["http://img.example/t/9.jpg"])
    #expect(quoted.createdAt == Timestamp(rfc3339: "2026-11-19T00:00:00Z"))
  }

  @Test("a repost of a deleted post shows only Weibo's notice")
  func deletedOriginal() throws {
    let deleted = #"{"idstr":"5","created_at":"\#(WeiboSamples.date)","deleted":"1","text":"抱歉，此微博已被作者删除。"}"#
    let quoted = try WeiboSamples.post(#""text":"看","retweeted_status":\#(deleted)"#).quoted
    #expect(quoted?.text == "抱歉，此微博已被作者删除。" && quoted?.author.screenName == "" && quoted?.url == nil)
    let silent = #"{"idstr":"5","created_at":"\#(WeiboSamples.date)","deleted":"1"}"#
    for original in [silent, #"{"deleted":"1"}"#, "null", "[]"] {
      let post = try WeiboSamples.post(#""text":"看","retweeted_status":\#(original)"#)
      #expect(post.quoted == nil && post.text == "看")
    }
  }

  @Test(
    "picture links lead to the large size if the picture server is known, and otherwise stay as Weibo returns them"
  )
  func pictures() throws {
    let post = try WeiboSamples.post(
      #"""
      "text":"t","pic_urls":[{"thumbnail_pic":"http://wx4.sinaimg.cn/thumbnail/94a4/thumbnail/a.jpg"},
       {"thumbnail_pic":"http://img.example/thumbnail/b.jpg"},{"thumbnail_pic":""},{},
       {"thumbnail_pic":"https://evil.example/.sinaimg.cn/thumbnail/c.jpg"}],"original_pic":"http://img.example/l/a.jpg"
      """#)
    #expect(
      post.media.map(\.url) == [
        "http://wx4.sinaimg.cn/large/94a4/thumbnail/a.jpg", "http://img.example/thumbnail/b.jpg",
        "https://evil.example/.sinaimg.cn/thumbnail/c.jpg",
      ])
    #expect(post.media.allSatisfy { $0.kind == .photo })
  }

  @Test("a reply contains the id of the post it answers; an empty or zero id makes no reply")
  func reply() throws {
    let reply = try WeiboSamples.post(
      #""text":"t","in_reply_to_status_id":5229000000000000,"in_reply_to_screen_name":"朋友乙""#
    ).inReplyTo
    #expect(reply == Post.Reply(id: PostID("5229000000000000"), screenName: "朋友乙"))
    #expect(try WeiboSamples.post(#""text":"t","in_reply_to_status_id":0"#).inReplyTo == nil)
  }

  @Test("a post with invalid escapes or escapes outside the BMP is not lost")
  func unicode() throws {
    #expect(try WeiboSamples.post(#""text":"\ud83d\ude00[doge]\ud83d&#x1f600;""#).text == "😀[doge]\u{fffd}😀")
  }
}
