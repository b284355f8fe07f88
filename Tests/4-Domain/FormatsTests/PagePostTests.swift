import Testing
import Timeline

@testable import Formats

/// The posts on a published page.
@Suite struct PagePostTests {
  private func reply(to id: String, _ name: String? = nil) -> (inout Post) -> Void {
    { $0.inReplyTo = Post.Reply(id: PostID(id), screenName: name) }
  }

  @Test("a reply to a post on the page links to it and shows its author")
  func responses() {
    let page = PageSamples.page([
      PageSamples.item("2", by: Samples.jack, change: reply(to: "1", "mira_demo")), PageSamples.item("1"),
    ])
    #expect(page.contains("Replied to <a href=\"#post-demo-1\"><bdi>@mira_demo</bdi></a>"))
    #expect(page.contains("id=\"post-demo-1\""))
    #expect(!page.contains("class=\"post joined"))
  }

  @Test("a reply to a post that is not on the page has no link, and shows the author if known")
  func answersElsewhere() {
    let page = PageSamples.page([
      PageSamples.item("2", change: reply(to: "7", "jack")), PageSamples.item("3", change: reply(to: "8")),
    ])
    #expect(page.contains("Replied to <bdi>@jack</bdi></p>"))
    #expect(page.contains("Replied to a post</p>"))
    #expect(!page.contains("href=\"#post-"))
  }

  @Test("consecutive posts in a thread are joined on the page, however many there are")
  func joined() {
    let page = PageSamples.page([
      PageSamples.item("3", change: reply(to: "2")), PageSamples.item("2", change: reply(to: "1")),
      PageSamples.item("1"),
    ])
    let classes = page.split(separator: "<article class=\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
    #expect(classes == ["post joined-below", "post joined-above joined-below", "post joined-above"])
    #expect(page.contains("Continues <a href=\"#post-demo-2\">the previous post</a>"))
  }

  @Test("the page joins no posts across a gap, the read mark or a repost")
  func notJoined() {
    let two = [PageSamples.item("2", change: reply(to: "1")), PageSamples.item("1")]
    let gap = PageSamples.page(two) {
      $0.gaps = [PublishedGap(after: PostID("1"), before: PostID("2"), isFillable: true)]
    }
    #expect(!gap.contains("class=\"post joined"))
    let mark = PageSamples.page([PageSamples.item("2", isUnread: true, change: reply(to: "1")), two[1]])
    #expect(!mark.contains("post unread joined"))
    #expect(mark.contains("Read up to here"))
    let repost = PageSamples.page([
      PageSamples.item("2") {
        $0.inReplyTo = Post.Reply(id: PostID("1"), screenName: nil)
        $0.repostedBy = Samples.jack
      }, two[1],
    ])
    #expect(!repost.contains("class=\"post joined"))
  }

  @Test("the page shows a gap directly below the post above it")
  func gap() throws {
    let page = PageSamples.page(["3", "2", "1"].map { PageSamples.item($0) }) {
      $0.gaps = [PublishedGap(after: PostID("1"), before: PostID("2"), isFillable: true)]
    }
    #expect(PageSamples.count("Posts may be missing here", in: page) == 1)
    let place = try #require(page.firstRange(of: "Posts may be missing here")).lowerBound
    #expect(try #require(page.firstRange(of: "id=\"post-demo-2\"")).lowerBound < place)
    #expect(try #require(page.firstRange(of: "id=\"post-demo-1\"")).lowerBound > place)
  }

  @Test("the page shows the read mark between read and unread posts, and nowhere else")
  func readMark() throws {
    func page(_ unread: [Bool]) -> String {
      PageSamples.page(unread.enumerated().map { PageSamples.item("\($0)", isUnread: $1) })
    }
    let page2 = page([true, true, false, false])
    let place = try #require(page2.firstRange(of: "Read up to here")).lowerBound
    #expect(try #require(page2.firstRange(of: "id=\"post-demo-1\"")).lowerBound < place)
    #expect(try #require(page2.firstRange(of: "id=\"post-demo-2\"")).lowerBound > place)
    #expect(PageSamples.count("class=\"post unread", in: page2) == 2)
    for other in [[true, true], [false, false], [true, false, true], []] {
      #expect(!page(other).contains("Read up to here"))
    }
  }

  @Test("the page shows a repost with its reposter, and a quoted post as a card with its author, time and link")
  func repostAndQuote() throws {
    let page = PageSamples.page([
      PageSamples.item("1", by: Samples.jack) {
        $0.repostedBy = Samples.mira
        $0.quoted = Post.Quote(
          id: PostID("q"), createdAt: Samples.time, author: User(id: "7", screenName: "quo", name: "Quo"),
          text: "said before",
          url: "https://q.example/1", media: [])
      }
    ])
    #expect(page.contains("<bdi>Mira</bdi> reposted"))
    let card = try #require(PageSamples.part(of: page, from: "<blockquote", to: "</blockquote>"))
    #expect(card.contains("<bdi>Quo</bdi>") && card.contains("said before") && card.contains("https://q.example/1"))
  }

  @Test("a stored picture is loaded lazily from its path, has its alternative text, and links to the original")
  func picture() {
    let page = PageSamples.page(
      [
        PageSamples.item("1") { $0.media = [Media(kind: .photo, url: "https://i.example/1", alternativeText: "a & b")] }
      ],
      pictures: ["https://i.example/1": "../_media/ab/cd.jpg"])
    #expect(page.contains("<a class=\"picture\" href=\"https://i.example/1\""))
    #expect(page.contains("<img src=\"./../_media/ab/cd.jpg\" alt=\"a &amp; b\" title=\"a &amp; b\" loading=\"lazy\""))
  }

  @Test("an avatar on the page is the stored picture, or else initials on a colour that never changes")
  func avatar() {
    let kept = PageSamples.page([PageSamples.item("1")], pictures: ["https://img.example/m.png": "m.png"])
    #expect(kept.contains("<img class=\"avatar\" src=\"./m.png\" alt=\"\""))
    let none = PageSamples.page([PageSamples.item("1")])
    #expect(none.contains("aria-hidden=\"true\">M</span>"))
    #expect(none == PageSamples.page([PageSamples.item("1")]))
  }

  @Test(
    "initials come from the first and last word of a name, without combining marks and symbols",
    arguments: [
      ("Ines Varga", "IV"), ("jack", "J"), ("  (anna) maria  löwe ", "AL"), ("★", "?"), ("", "S"),
      ("Z\u{336}\u{489}\u{30d} end", "ZE"), ("نور حدّاد", "نح"), ("ß", "SS"), ("👩‍💻 Bo", "B"), ("42 birds", "4B"),
    ])
  func initials(name: String, expected: String) {
    #expect(PageAvatar.initials(of: User(id: "1", screenName: "sn", name: name)) == expected)
  }

  @Test(
    "counts on the page are abbreviated and rounded down",
    arguments: [
      (0, "0"), (999, "999"), (1000, "1k"), (1199, "1.1k"), (1999, "1.9k"), (9999, "9.9k"), (10_500, "10k"),
      (999_999, "999k"), (1_250_000, "1.2M"), (3_000_000_000, "3G"),
    ])
  func counts(count: Int, expected: String) {
    #expect(PageCounts.short(count) == expected)
    let page = PageSamples.page([PageSamples.item("1") { $0.counts.likes = count }])
    #expect(page.contains("<li title=\"\(count) like"))
    let text = count < 1000 ? "</svg>\(count)<span class=\"unseen\"> like" : "<span class=\"unseen\">\(count) like"
    #expect(page.contains(text), "a screen reader reads the whole number once")
  }

  @Test("the page hides unknown counts, and can show counts of any size")
  func oddCounts() {
    let page = PageSamples.page([PageSamples.item("1") { $0.counts = .init(replies: nil, reposts: -3, likes: .max) }])
    #expect(PageSamples.count("<span class=\"unseen\">", in: page) == 1)
    #expect(page.contains("\(Int.max) likes"))
  }

  @Test("the page marks edited posts, and shows a post's account and where else it was published")
  func notes() {
    var item = PageSamples.item("1", alsoAt: ["https://www.else.example/1"]) { $0.editedAt = Samples.time }
    item.account = "bird"
    let page = PageSamples.page([item])
    #expect(page.contains("edited <time"))
    #expect(page.contains("also at <bdi>else.example</bdi></span></a>"))
    #expect(page.contains("via <bdi>bird</bdi>"))
  }

  @Test("a content warning hides the text, the media and the quoted post on the page until the reader opens them")
  func contentWarning() throws {
    let warned = PageSamples.item("1", "CW: spiders & <b>webs\n\nEight eyes\n\nand more") {
      $0.language = "de"
      $0.media = [Media(kind: .photo, url: "https://img.example/spider.jpg", alternativeText: "a spider")]
      $0.quoted = Post.Quote(
        id: PostID("q"), createdAt: Samples.time, author: Samples.jack, text: "CW: snakes\n\nhiss", url: nil, media: [])
    }
    let page = PageSamples.page([warned])
    #expect(page.contains("<summary>Content warning: <bdi lang=\"de\">spiders &amp; &lt;b&gt;webs</bdi></summary>"))
    let whole = try #require(PageSamples.part(of: page, from: "<article", to: "</article>"))
    let before = try #require(whole.split(separator: "<details", maxSplits: 1).first)
    for hidden in ["Eight eyes<br><br>and more", "spider.jpg", "a spider", "hiss", "blockquote"] {
      #expect(whole.contains(hidden) && !before.contains(hidden), "\(hidden)")
    }
    #expect(PageSamples.count("<details class=\"warned\">", in: page) == 2)
    #expect(!page.contains("<details open") && !page.contains("CW: "))
  }

  @Test(
    "text without a content warning, or with nothing below it, is not hidden",
    arguments: ["CW: only", "CW:\n\nx", "a CW: b\n\nc", "CW:  \n\nx"])
  func noContentWarning(text: String) {
    let page = PageSamples.page([PageSamples.item("1", text)])
    #expect(!page.contains("<details"))
    #expect(page.contains(text.replacing("\n", with: "<br>")))
  }

  @Test("a content warning without text hides the media")
  func warnedMedia() {
    let media = [Media(kind: .photo, url: "https://img.example/spider.jpg")]
    #expect(
      PageSamples.page([PageSamples.item("1", "CW: spiders") { $0.media = media }]).contains(
        "<details class=\"warned\">"))
  }

  @Test("a post's text on the page is tagged with its language, or as having an unknown language")
  func language() {
    #expect(
      PageSamples.page([PageSamples.item("1") { $0.language = "pt-BR" }]).contains("dir=\"auto\" lang=\"pt-BR\">text"))
    #expect(PageSamples.page([PageSamples.item("1")]).contains("dir=\"auto\" lang=\"\">text"))
    #expect(PageSamples.page([PageSamples.item("1") { $0.language = "e n" }]).contains("dir=\"auto\" lang=\"\">text"))
  }

  @Test("a time on the page is exact in its attributes, and abbreviated in its text")
  func time() {
    #expect(
      PageSamples.page([PageSamples.item("1")]).contains(
        "<time class=\"age\" datetime=\"2026-11-20T16:00:00Z\" title=\"Fri 20 Nov 2026, 16:00 UTC\">10 min</time>"))
  }
}
