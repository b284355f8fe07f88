import HTTP
import TestSupport
import Testing
import Time
import Timeline

@testable import Formats

struct AtomFeedTests {
  private func atom(_ publication: Publication) -> String { FeedSamples.text(of: publication, as: .atom) }

  @Test("an Atom entry contains every part of its post")
  func whole() {
    let post = Samples.full
    let feed = atom(FeedSamples.publication([FeedSamples.published(post, alsoAt: ["https://other.example/1?a&b"])]))
    for part in [
      "<id>tag:homeline.invalid,2026:timeline/bird</id>", "<title>Mira&#39;s home timeline</title>",
      "<entry xml:lang=\"ja\">\n<id>tag:homeline.invalid,2026:post/bird/1850000000025165849</id>",
      "<updated>2026-11-20T16:00:00Z</updated>\n<published>2026-11-20T16:00:00Z</published>",
      "<author><name>Mira</name></author>\n<link rel=\"alternate\" href=\"https://twitter.com/m/status/1\"/>",
      "<link rel=\"related\" href=\"https://other.example/1?a&amp;b\"/>",
      "<title>Mira: Quotes &quot; and \\ and / and lines, tabs, and 日本語 👩‍💻 e\u{301}</title>",
    ] { #expect(feed.contains(part)) }
  }

  @Test(
    "an entry's content is HTML with the reposter, lines of text, pictures, alternative texts, the quoted post and other copies"
  )
  func content() {
    let html = PostContent.html(of: FeedSamples.published(Samples.full, alsoAt: ["https://other.example/1"])).text
    #expect(
      html
        == "<p>reposted by jack (@jack)</p><p dir=\"auto\">Quotes &quot; and \\ and / and<br>lines, tabs,  and 日本語 👩‍💻 "
        + "e\u{301} <br></p><p><img src=\"https://img.example/1.jpg\" alt=\"a cat &amp; a &quot;dog&quot;\"></p>"
        + "<p><a href=\"https://img.example/2.mp4\" rel=\"noopener noreferrer nofollow\">animation</a></p>"
        + "<blockquote><p>jack (@jack):</p><p dir=\"auto\">quoted<br>text</p>"
        + "<p><a href=\"https://v.example/1.mp4\" rel=\"noopener noreferrer nofollow\">video</a></p></blockquote>"
        + "<p>also at <a href=\"https://other.example/1\" rel=\"noopener noreferrer nofollow\">https://other.example/1</a></p>"
    )
  }

  @Test("a picture without an https address becomes a link, and one without a web address becomes text")
  func pictures() {
    let media = ["http://img.example/1.jpg", "javascript:alert(1)", "data:image/png;base64,x"].map {
      Media(kind: .photo, url: $0, alternativeText: "a <cat>")
    }
    let html = PostContent.html(of: FeedSamples.published(FeedSamples.post(text: "", media: media))).text
    #expect(
      html
        == "<p><a href=\"http://img.example/1.jpg\" rel=\"noopener noreferrer nofollow\">photo (a &lt;cat&gt;)</a></p>"
        + "<p>photo (a &lt;cat&gt;)</p><p>photo (a &lt;cat&gt;)</p>")
  }

  @Test("only web addresses become links in an Atom entry")
  func addresses() {
    let post = FeedSamples.post(url: "javascript:alert(1)")
    let feed = atom(FeedSamples.publication([FeedSamples.published(post, alsoAt: ["file:///etc/passwd"])]))
    #expect(!feed.contains("<link") && !feed.contains("javascript") && !feed.contains("passwd"))
  }

  @Test("an entry's update time is its post's last edit, and the feed's is the newest change")
  func updated() {
    var edited = FeedSamples.post("1")
    edited.createdAt = Samples.time - .seconds(7200)
    edited.editedAt = Samples.time + .seconds(60)
    let feed = atom(FeedSamples.publication([FeedSamples.post("2"), edited].map { FeedSamples.published($0) }))
    #expect(feed.contains("</title>\n<updated>2026-11-20T16:01:00Z</updated>\n<author>"))
    #expect(feed.contains("<updated>2026-11-20T16:01:00Z</updated>\n<published>2026-11-20T14:00:00Z</published>"))
  }

  @Test("an Atom entry's id depends only on the account and the post's id", arguments: [0, 1, 2, 3, 4])
  func ids(change: Int) {
    let post = Samples.full
    var changed = FeedSamples.published(post)
    switch change {
    case 0: changed.post.url = "https://elsewhere.example/2"
    case 1: changed.post.author = User(id: "9", screenName: "new", name: "New")
    case 2: changed.post.text = "other"
    case 3: changed.post.createdAt = Samples.time - .seconds(1)
    default: changed.isUnread = true
    }
    let id = "<id>tag:homeline.invalid,2026:post/bird/1850000000025165849</id>"
    for published in [FeedSamples.published(post), changed] {
      #expect(atom(FeedSamples.publication([published])).contains(id))
    }
    #expect(EntryID.of(changed) != EntryID.of(FeedSamples.published(post, account: "other")))
  }

  @Test("every post id becomes a URI, and different ids remain different")
  func oddIDs() {
    let texts = ["a/b", "a%2Fb", "a b", "日", "<&>", "at://did:plc:x/app.bsky.feed.post/3k", "\n", "a", "A"]
    let ids = texts.map { EntryID.of(FeedSamples.published(FeedSamples.post($0))) }
    #expect(Set(ids).count == texts.count)
    #expect(ids[0] == "tag:homeline.invalid,2026:post/bird/a%2Fb" && ids[6].hasSuffix("/%0A"))
    #expect(ids.allSatisfy { $0.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "<") } })
  }

  @Test(
    "an unchanged timeline produces the same feed, whenever it is refreshed, published or read",
    arguments: [
      PublishedFormat.atom, .jsonFeed, .jsonLines,
    ])
  func sameBytes(format: PublishedFormat) {
    let posts = [FeedSamples.published(Samples.full), FeedSamples.published(Samples.small)]
    for posts in [posts, []] {
      let first = FeedSamples.publication(posts)
      var second = first
      second.madeAt = Samples.time + .seconds(600)
      second.head.refreshedAt = Samples.time + .seconds(600)
      second.head.freshUntil = Samples.time + .seconds(690)
      second.head.problem = Problem(code: .network, message: "no route")
      second.head.staleSince = Samples.time
      second.head.unread = 2
      for index in second.posts.indices { second.posts[index].isUnread = true }
      #expect(format.bytes(of: first) == format.bytes(of: second))
    }
  }

  @Test("a feed without posts has a date and, before the first login, contains the account's name")
  func empty() {
    let feed = atom(FeedSamples.publication([], head: TimelineHead(account: "bird", provider: "twitter")))
    #expect(feed.contains("<updated>1970-01-01T00:00:00Z</updated>\n<author><name>bird</name></author>"))
    #expect(feed.contains("<title>bird&#39;s home timeline</title>") && !feed.contains("<entry"))
  }

  @Test(
    "no post can add markup or control characters to a feed, or change its text direction",
    arguments: HostileTexts.all.indices)
  func hostile(number: Int) throws {
    let text = HostileTexts.all[number]
    let user = User(id: "1", screenName: text, name: text)
    var post = FeedSamples.post(
      text: text, url: text, media: [Media(kind: .photo, url: "https://i.example/1", alternativeText: text)])
    (post.author, post.repostedBy, post.language) = (user, user, text)
    post.inReplyTo = Post.Reply(id: PostID(text), screenName: text)
    post.quoted = Post.Quote(
      id: PostID(text), createdAt: Samples.time, author: user, text: text, url: text,
      media: [Media(kind: .other, url: text, alternativeText: text)])
    let published = FeedSamples.published(post, alsoAt: [text])
    let feed = atom(FeedSamples.publication([published]))
    for scalar in feed.unicodeScalars where scalar != "\n" {
      #expect(scalar.value >= 0x20 && !(0x7f...0x9f).contains(scalar.value), "U+\(String(scalar.value, radix: 16))")
      #expect(!(0x202a...0x202e).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value))
      #expect(scalar.value != 0xfffe && scalar.value != 0xffff)
    }
    // The text between the brackets is constant, because no element, attribute or address comes from the post's text.
    #expect(HTMLTags.names(in: feed).isSubset(of: HTMLTags.ofAtom))
    let html = PostContent.html(of: published).text
    #expect(HTMLTags.names(in: html).isSubset(of: ["p", "br", "a", "img", "blockquote"]))
    #expect(!html.contains("href=\"javascript") && !html.contains("<a href=\"\""))
    #expect(HTMLTags.attributes(in: html).isSubset(of: ["dir", "href", "rel", "src", "alt"]))
  }

  @Test("an author without a visible name is shown by screen name, or as unknown")
  func names() {
    for nothing in ["", " \n", "\u{fffe}\u{ffff}", "\u{feff}\u{200d}\u{200b}", "\u{0}\u{1b}[31m"] {
      let names = [("jack", nothing), (nothing, nothing), (nothing, "Jack")].map {
        PersonName.full(of: User(id: "1", screenName: $0, name: $1))
      }
      #expect(names == ["jack (@jack)", "(unknown)", "Jack"])
    }
  }

  @Test(
    "an entry's title is one line with at most 80 characters after the name, even for one endless character")
  func titles() {
    let long = PostTitle.of(FeedSamples.post(text: String(repeating: "👩‍👩‍👧‍👦", count: 200)))
    #expect(long == "jack: " + String(repeating: "👩‍👩‍👧‍👦", count: 79) + "…")
    let accents = PostTitle.of(FeedSamples.post(text: "e" + String(repeating: "\u{301}", count: 10_000)))
    #expect(accents.unicodeScalars.count == "jack: ".count + 16)
    #expect(PostTitle.of(FeedSamples.post(text: "a\n\n b\u{2028}c")) == "jack: a b c")
    #expect(PostTitle.of(FeedSamples.post(text: "")) == "jack")
    let picture = Media(kind: .photo, url: "https://i.example/1.jpg", alternativeText: nil)
    #expect(PostTitle.of(FeedSamples.post(text: "", media: [picture])) == "jack: photo")
  }
}
