import JSON
import TestSupport
import Testing
import Time
import Timeline

@testable import Formats

struct JSONFeedTests {
  private func feed(_ posts: [PublishedPost]) -> String {
    FeedSamples.text(of: FeedSamples.publication(posts), as: .jsonFeed)
  }

  @Test("the JSON Feed identifies itself, and an item contains every member of its post that is not empty")
  func whole() {
    #expect(
      feed([FeedSamples.published(FeedSamples.post(text: "a <b>", url: "https://x.example/7"))])
        == #"{"version":"https://jsonfeed.org/version/1.1","title":"Mira's home timeline","authors":[{"name":"Mira"}],"#
        + #""items":[{"id":"tag:homeline.invalid,2026:post/bird/7","url":"https://x.example/7","#
        + #""content_html":"<p dir=\"auto\">a &lt;b&gt;</p>","content_text":"a <b>","#
        + #""date_published":"2026-11-20T16:00:00Z","authors":[{"name":"jack"}],"language":"en"}]}"# + "\n")
  }

  @Test("a post's first picture becomes the item's image, and media of known types become attachments")
  func media() {
    let media = [
      Media(kind: .video, url: "https://v.example/1.MP4?tag=1", alternativeText: "a\nwalk"),
      Media(kind: .photo, url: "javascript:x.jpg"), Media(kind: .photo, url: "https://i.example/a.b/2"),
      Media(kind: .photo, url: "https://i.example/3.jpg"), Media(kind: .other, url: "https://i.example"),
    ]
    let item = feed([FeedSamples.published(FeedSamples.post(media: media))])
    #expect(item.contains(#""image":"https://i.example/a.b/2","#))
    #expect(
      item.contains(
        #""attachments":[{"url":"https://v.example/1.MP4?tag=1","mime_type":"video/mp4","title":"a walk"},"#
          + #"{"url":"https://i.example/3.jpg","mime_type":"image/jpeg"}]"#))
  }

  @Test("an item has its edit time, avatars with web addresses, and well-formed language tags")
  func rest() {
    var post = FeedSamples.post()
    post.editedAt = Samples.time + .seconds(60)
    post.author = Samples.mira
    post.language = "not a tag"
    let item = feed([FeedSamples.published(post)])
    #expect(item.contains(#""date_modified":"2026-11-20T16:01:00Z","#))
    #expect(item.contains(#""authors":[{"name":"Mira","avatar":"https://img.example/m.png"}]"#))
    #expect(!item.contains("language"))
    #expect(LanguageTag.checked("zh-Hans-CN") == "zh-Hans-CN" && LanguageTag.checked("") == nil)
    #expect(LanguageTag.checked("1a") == nil && LanguageTag.checked("en-") == nil)
  }

  @Test("only web addresses become addresses of items, authors and pictures")
  func addresses() {
    var post = FeedSamples.post(
      url: "javascript:alert(1)", media: [Media(kind: .photo, url: "file:///etc/1.jpg")])
    post.author = User(id: "1", screenName: "jack", name: "jack", avatarURL: "data:image/png;base64,x")
    let item = feed([FeedSamples.published(post, alsoAt: ["ftp://o.example/1"])])
    #expect(!["javascript", "file:", "data:", "ftp", "\"url\"", "image", "avatar"].contains { item.contains($0) })
  }

  @Test("an item's plain text keeps its line breaks and marks quotations")
  func text() {
    #expect(
      PostContent.text(of: FeedSamples.published(Samples.full, alsoAt: ["https://o.example/1", "javascript:x"])) == """
        reposted by jack (@jack)
        Quotes " and \\ and / and
        lines, tabs,  and 日本語 👩‍💻 e\u{301} \n
        photo (a cat & a "dog") https://img.example/1.jpg
        animation https://img.example/2.mp4
        > jack (@jack):
        > quoted
        > text
        > video https://v.example/1.mp4
        also at https://o.example/1
        """)
  }

  @Test(
    "whatever a post contains, the feed remains valid JSON, and the post's text can be read back",
    arguments: HostileTexts.all.indices)
  func hostile(number: Int) throws {
    let text = HostileTexts.all[number]
    let bytes = PublishedFormat.jsonFeed.bytes(of: FeedSamples.publication(text: text))
    var cursor = JSONCursor(bytes)
    _ = try cursor.skip()
    try cursor.end()
    #expect(bytes.last == UInt8(ascii: "\n") && bytes.dropLast().allSatisfy { $0 >= 0x20 })
    var expected = JSONWriter()
    expected.string(SafeText.lines(of: text).joined(separator: "\n"))
    let feed = String(decoding: bytes, as: UTF8.self)
    #expect(feed.contains("\"content_text\":" + String(decoding: expected.bytes, as: UTF8.self)))
  }
}
