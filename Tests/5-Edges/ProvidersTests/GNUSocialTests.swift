import Bytes
import Testing
import Time
import Timeline

@testable import Providers

/// Statuses in the format of GNU social 2.0.0beta0.
@Suite struct GNUSocialTests {
  /// - Parameters:
  ///   - text: the text as its author typed it, in JSON.
  ///   - more: members that only this status has, with a leading comma.
  private static func status(_ id: Int, _ text: String, html: String = "", more: String = "") -> String {
    #"""
    {"text":"\#(text)","truncated":false,"created_at":"Fri Nov 20 15:59:58 +0000 2026","in_reply_to_status_id":null,
    "uri":"tag:social.example,2026-11-20:noticeId=\#(id):objectType=note","source":"web","id":\#(id),
    "in_reply_to_user_id":null,"in_reply_to_screen_name":null,"geo":null,"user":{"id":2,"name":"Ann",
    "screen_name":"ann","location":null,"description":null,"profile_image_url":"https://social.example/a.png",
    "profile_image_url_https":"https://social.example/a.png","protected":false,"statusnet_blocking":false,
    "statusnet_profile_url":"https://social.example/ann"},"statusnet_html":"\#(html)",
    "statusnet_conversation_id":\#(id),"statusnet_in_groups":false,"favorited":false,"repeated":false,
    "fave_num":0,"repeat_num":0,"is_post_verb":true,"is_local":true\#(more)}
    """#
  }

  private static func server(at base: String) throws -> any Provider {
    try #require(
      try ProviderRegistry.named(
        "twitter",
        at: ProviderLocation(endpoints: [.homeTimeline: RequestURL(base + "/api/statuses/home_timeline.json")])))
  }

  private func posts(_ statuses: [String], at base: String = "https://social.example") throws -> [Post] {
    try Samples.fetched("[" + statuses.joined(separator: ",") + "]", by: Self.server(at: base)).page.entries.map(\.post)
  }

  static let texts: [(typed: String, html: String)] = [
    ("double &amp; and &lt;script&gt;", "double &amp;amp; and &amp;lt;script&amp;gt;"),
    ("a & b < c > d &copy; &#65;", "a &amp; b &lt; c &gt; d &amp;copy; &amp;#65;"),
    ("zwölf, 十二, двенадцать", "zwölf, 十二, двенадцать"),
  ]

  @Test("GNU social's text is shown as typed, with nothing decoded", arguments: texts)
  func text(typed: String, html: String) throws {
    #expect(try posts([Self.status(8, typed, html: html)]).map(\.text) == [typed])
  }

  @Test("the text of a repeated notice is shown as typed")
  func repeated() throws {
    let original = Self.status(7, "&lt;b&gt;", html: "&amp;lt;b&amp;gt;")
    let post = try posts([Self.status(8, "RT @ann &lt;b&gt;", more: #","retweeted_status":\#(original)"#)])[0]
    #expect(post.text == "&lt;b&gt;" && post.repostedBy?.screenName == "ann")
    #expect(post.url == "https://social.example/notice/7")
  }

  @Test("a GNU social post's address is its notice page, even if the server is below a path")
  func address() throws {
    let status = Self.status(457, "t")
    #expect(try posts([status])[0].url == "https://social.example/notice/457")
    #expect(
      try posts([status], at: "https://social.example/gs/index.php")[0].url
        == "https://social.example/gs/index.php/notice/457")
  }

  @Test("Friendica, which has similar members, is not mistaken for GNU social")
  func friendica() throws {
    let status = Self.status(
      8, "&amp;", more: #","friendica_activities":{"like":[]},"external_url":"https://f.example/display/8""#)
    let fetched = try Samples.fetched("[\(status)]", by: Self.server(at: "https://f.example"))
    #expect(fetched.page.entries.map(\.post.text) == ["&"])
    #expect(fetched.page.entries.map(\.post.url) == ["https://f.example/display/8"] && fetched.reach == nil)
  }

  @Test("GNU social's timelines have no known length limit, but Twitter's do")
  func reach() throws {
    let body = "[\(Self.status(8, "t"))]"
    #expect(try Samples.fetched(body, by: Self.server(at: "https://social.example")).reach == .max)
    #expect(try Samples.fetched("[\(Samples.status(#""full_text":"t""#))]").reach == nil)
  }

  @Test("paging stops at post 1, because max_id=0 would return the newest page again")
  func oldest() throws {
    let body = "[\(Self.status(2, "b")),\(Self.status(1, "a"))]"
    let page = try Samples.fetched(
      body, TimelineQuery(older: PageCursor("2"), count: 200), by: Self.server(at: "https://social.example")
    ).page
    #expect(page.entries.count == 2 && page.older == nil)
  }
}
