import TestSupport
import Testing
import Timeline

@testable import Formats

struct LineFormatTests {
  @Test("the JSON Lines file contains the posts as published, newest first")
  func jsonLines() {
    var posts = [Samples.full, Samples.small].map { FeedSamples.published($0) }
    posts[1].json = Array(#"{"id":"1","of":"a later version"}"#.utf8)
    #expect(
      PublishedFormat.jsonLines.bytes(of: FeedSamples.publication(posts))
        == PostJSON.bytes(Samples.full) + Array("\n{\"id\":\"1\",\"of\":\"a later version\"}\n".utf8))
    #expect(PublishedFormat.jsonLines.bytes(of: FeedSamples.publication([])).isEmpty)
  }

  @Test("a line in the text format contains the unread mark, the time, the author and the text")
  func textLines() {
    let posts = [
      FeedSamples.published(FeedSamples.post(text: "a\nb", url: "https://x.example/7"), isUnread: true),
      FeedSamples.published(Samples.full), FeedSamples.published(FeedSamples.post(text: "")),
    ]
    #expect(
      FeedSamples.text(of: FeedSamples.publication(posts), as: .text) == """
        * 2026-11-20 16:00 @jack a b https://x.example/7
          2026-11-20 16:00 @mira_demo reposted by @jack: Quotes " and \\ and / and lines, tabs,  and 日本語 👩‍💻 e\u{301}   \
        > @jack: quoted text photo (a cat & a "dog") animation https://twitter.com/m/status/1
          2026-11-20 16:00 @jack

        """)
  }

  @Test(
    "in the line formats, every post takes one line and cannot control a terminal", arguments: HostileTexts.all.indices)
  func hostile(number: Int) {
    let text = HostileTexts.all[number]
    var post = FeedSamples.post(text: text, url: text, media: [Media(kind: .photo, url: text, alternativeText: text)])
    post.author = User(id: "1", screenName: text, name: text)
    post.quoted = Post.Quote(
      id: PostID("1"), createdAt: Samples.time, author: post.author, text: text, url: text, media: [])
    let lines = FeedSamples.text(of: FeedSamples.publication([FeedSamples.published(post)]), as: .text)
    #expect(lines.unicodeScalars.last == "\n")
    for scalar in lines.unicodeScalars.dropLast() {
      #expect(scalar.value >= 0x20 && !(0x7f...0x9f).contains(scalar.value))
      #expect(!(0x2028...0x202e).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value))
    }
  }
}
