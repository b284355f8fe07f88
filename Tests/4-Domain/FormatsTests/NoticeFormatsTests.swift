import Testing
import Time
import Timeline

@testable import Formats

/// Notifications on the page and in feeds.
@Suite("Notifications in published formats") struct NoticeFormatsTests {
  private static let likes = ["Ada", "Ben", "Cleo"].enumerated().map { index, name in
    NoticeSamples.post(
      NoticeSamples.notice("favourite", id: "n\(3 - index)", by: [name], age: index), of: "7")
  }
  private static let follow = NoticeSamples.post(
    NoticeSamples.notice("follow", id: "n0", by: ["Dan"], age: 60, text: "<b>hi</b> & bye"), of: nil)

  private func text(_ posts: [Post], as format: PublishedFormat, unread: Int = 0) -> String {
    FeedSamples.text(
      of: FeedSamples.publication(
        posts.enumerated().map { FeedSamples.published($1, isUnread: $0 < unread) },
        head: TimelineHead(account: "bird", provider: "mastodon", unread: unread)), as: format)
  }

  @Test("the page shows likes of one post as one, above the post")
  func page() {
    let html = text(Self.likes + [Self.follow], as: .html)
    #expect(PageSamples.count("<article", in: html) == 2)
    #expect(html.contains(#"<span aria-hidden="true">♥</span> <bdi>Ada</bdi> and 2 others liked · <time"#))
    #expect(html.contains(#"id="notification-bird-n3""#))
  }

  @Test("the page shows an event without a post, and escapes the server's text about it")
  func pageEvent() {
    let html = text([Self.follow], as: .html)
    #expect(html.contains("<span><bdi>Dan</bdi> followed you</span>"))
    #expect(html.contains("&lt;b&gt;hi&lt;/b&gt; &amp; bye") && !html.contains("<b>hi"))
    #expect(!html.contains("class=\"text\""))
  }

  @Test("a gap below a joined event stays visible on the page, below the group")
  func pageGap() {
    let head = TimelineHead(
      account: "bird", provider: "mastodon",
      gaps: [PublishedGap(after: PostID("n1"), before: PostID("n2"), isFillable: true)])
    let html = FeedSamples.text(
      of: FeedSamples.publication(Self.likes.map { FeedSamples.published($0) }, head: head), as: .html)
    #expect(html.contains("<bdi>Ada</bdi> and <bdi>Ben</bdi> liked"))
    #expect(PageSamples.count("Posts may be missing here", in: html) == 1)
    let parts = html.split(separator: "Posts may be missing here")
    #expect(parts.count == 2 && parts[1].contains("<bdi>Cleo</bdi> liked"))
  }

  @Test("a feed has one entry for each event, by the user who caused it, at the time of the event")
  func atom() {
    let atom = text(Self.likes + [Self.follow], as: .atom)
    #expect(PageSamples.count("<entry", in: atom) == 4)
    #expect(atom.contains("<title>Ada liked: text of 7</title>") && atom.contains("<name>Ben</name>"))
    #expect(atom.contains("<title>Dan followed you: &lt;b&gt;hi&lt;/b&gt; &amp; bye</title>"))
    #expect(atom.contains("<id>tag:homeline.invalid,2026:notification/bird/n3</id>"))
    #expect(atom.contains("<published>2026-11-20T15:59:59Z</published>"))
    #expect(!atom.contains("2026-11-18"), "the time of the post is not the entry's")
  }

  @Test("an entry of the JSON Feed says what has happened before the post")
  func jsonFeed() {
    let feed = text(Self.likes.prefix(1) + [Self.follow], as: .jsonFeed)
    #expect(feed.contains(#""content_text":"Ada (@ada) liked: Mira (@mira_demo)\ntext of 7""#))
    #expect(feed.contains(#""content_text":"Dan (@dan) followed you\n<b>hi</b> & bye""#))
    #expect(feed.contains(#""date_published":"2026-11-20T16:00:00Z","authors":[{"name":"Ada"}]"#))
    #expect(feed.contains(#""content_html":"<p>Dan (@dan) followed you</p><p>&lt;b&gt;hi&lt;/b&gt; &amp; bye</p>""#))
  }

  @Test("a line of text and the bar say what has happened")
  func lines() {
    let lines = text(Self.likes.prefix(1) + [Self.follow], as: .text)
    #expect(
      lines == """
          2026-11-20 16:00 @ada liked: @mira_demo text of 7
          2026-11-20 15:59 @dan followed you: <b>hi</b> & bye

        """)
    let bar = text(Self.likes.prefix(1) + [Self.follow], as: .bar, unread: 2)
    #expect(bar.contains(#"@ada liked: text of 7\n@dan followed you: "#))
  }

  @Test("a mention looks like any other post, but keeps its own id")
  func mention() {
    let mention = NoticeSamples.post(NoticeSamples.notice("mention"))
    var plain = mention.withoutNotice
    #expect(text([mention], as: .text).hasSuffix(" @mira_demo text of 7\n"))
    #expect(text([mention], as: .html).contains("notification-bird-n1"))
    plain.text = "other"
    #expect(!text([plain], as: .html).contains("notification-"))
  }

  @Test("`homeline show --follow` prints each event about one post")
  func followed() {
    var timeline = FollowedTimeline(limit: 1)
    #expect(timeline.newPosts(in: [Self.likes[2]]) == [0])
    #expect(timeline.newPosts(in: Self.likes) == [1, 0])
    #expect(timeline.newPosts(in: Self.likes) == [])
  }
}
