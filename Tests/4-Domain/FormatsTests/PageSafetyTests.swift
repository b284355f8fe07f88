import Bytes
import Cryptography
import HTTP
import Testing
import Timeline

@testable import Formats
@testable import HomelineOAuth

/// The safety of published pages, whose posts must not be able to do harm.
@Suite struct PageSafetyTests {
  @Test("the page's security policy contains the digests of the style sheet and script as they are written")
  func digests() throws {
    let (style, script) = (try digest(PageStyle.text), try digest(PageScript.text))
    #expect(PagePolicy.styleDigest == style)
    #expect(PagePolicy.scriptDigest == script)
    let page = PageSamples.page()
    #expect(PageSamples.part(of: page, from: "<style>", to: "</style>") == PageStyle.text.text)
    #expect(PageSamples.part(of: page, from: "<script>", to: "</script>") == PageScript.text.text)
  }

  private func digest(_ text: Markup) throws -> String {
    "sha256-" + Base64.encode(try SHA256.digest(of: text.bytes))
  }

  @Test("the page loads nothing from the network and uses only its own script and style sheet")
  func policy() throws {
    let policy = try #require(
      PageSamples.part(of: PageSamples.page(), from: "Content-Security-Policy\" content=\"", to: "\""))
    let directives = policy.split(separator: "; ").map { $0.split(separator: " ").map(String.init) }
    let rules = Dictionary(uniqueKeysWithValues: directives.map { ($0[0], Array($0.dropFirst())) })
    #expect(rules["default-src"] == ["'none'"])
    #expect(rules["img-src"] == ["'self'", "file:", "data:"])
    #expect(rules["script-src"] == ["'\(PagePolicy.scriptDigest)'"])
    #expect(rules["style-src"] == ["'\(PagePolicy.styleDigest)'"])
    #expect(rules["base-uri"] == ["'none'"])
    #expect(rules["form-action"] == ["'none'"])
  }

  @Test("the page's security policy precedes everything that it applies to")
  func policyFirst() throws {
    let page = PageSamples.page()
    let policy = try #require(page.firstRange(of: "Content-Security-Policy")).lowerBound
    for element in ["<link", "<style", "<script", "<img", "<body"] {
      if let place = page.firstRange(of: element) { #expect(policy < place.lowerBound) }
    }
    #expect(page.contains("<meta name=\"referrer\" content=\"no-referrer\">"))
  }

  @Test(
    "markup in a post's texts is shown as text on the page",
    arguments: [
      "<script>x</script>", "\"><img src=x onerror=x>", "'><b>", "</style>", "-->", "]]>", "&lt;b&gt;", "</title>",
    ])
  func markup(text: String) {
    let user = User(id: text, screenName: text, name: text, avatarURL: "https://img.example/a")
    let post = PageSamples.item(text, by: user, text, isUnread: true, alsoAt: [text]) {
      $0.language = text
      $0.url = text
      $0.repostedBy = user
      $0.inReplyTo = Post.Reply(id: PostID(text), screenName: text)
      $0.media = [
        Media(kind: .photo, url: "https://img.example/1", alternativeText: text),
        Media(kind: .photo, url: text, alternativeText: text),
      ]
      $0.quoted = Post.Quote(
        id: PostID(text), createdAt: Samples.time, author: user, text: text, url: text, media: $0.media)
    }
    let page = PageSamples.page(
      [post], overview: .init(spending: [text]),
      pictures: ["https://img.example/1": "\(text).jpg", "https://img.example/a": text]
    ) {
      $0.account = text
      $0.provider = text
      $0.user = user
      $0.problem = Problem(code: .network, message: text)
      $0.loginNeededBy = Samples.time
    }
    let plain = PageSamples.page([])
    let own = PageSamples.part(of: plain, from: "<style>", to: "</style>")! + PageScript.text.text
    // The remaining text is the same on every page.
    let rest = page.replacing(PageStyle.text.text, with: "").replacing(PageScript.text.text, with: "")
    #expect(!own.isEmpty)
    #expect(PageSamples.count("<script", in: rest) == 1)
    #expect(PageSamples.count("</style>", in: rest) == 1)
    #expect(PageSamples.count("</title>", in: rest) == PageSamples.count("</title>", in: plain))
    #expect(PageSamples.count("<b>", in: rest) == 0)
    #expect(!rest.contains("-->") && !rest.contains("]]>"))
    #expect(PageSamples.count("onerror=x>", in: rest) == 0)
    if text.contains("&lt;") { #expect(rest.contains("&amp;lt;b&amp;gt;")) }
  }

  @Test(
    "only web addresses become links on the page, and everything else remains text",
    arguments: [
      "javascript:alert(1)", "JAVASCRIPT:alert(1)", " javascript:alert(1)", "data:text/html,x", "file:///etc/passwd",
      "//evil.example", "/etc/passwd", "vbscript:x", "java\nscript:x", "",
    ])
  func schemes(address: String) {
    let post = PageSamples.item(
      "1", by: User(id: "1", screenName: "a", name: "A", avatarURL: address), alsoAt: [address]
    ) {
      $0.url = address
      $0.media = [Media(kind: .video, url: address)]
      $0.quoted = Post.Quote(
        id: PostID("2"), createdAt: Samples.time, author: Samples.mira, text: "q", url: address, media: [])
    }
    let links = PageSamples.page([post]).split(separator: "<a ").dropFirst()
    #expect(links.count == 1, "the link to the posts is the only link")
    #expect(links.allSatisfy { $0.hasPrefix("class=\"skip\" href=\"#posts\"") })
  }

  @Test("no link on the page reveals the page that it was on")
  func relations() {
    let post = PageSamples.item("1", "https://a.example/ and http://b.example/", alsoAt: ["https://c.example/1"]) {
      $0.url = "https://d.example/"
      $0.media = [Media(kind: .audio, url: "https://e.example/")]
    }
    let page = PageSamples.page([post])
    #expect(PageSamples.count("href=\"http", in: page) == 5)
    #expect(PageSamples.count("rel=\"noopener noreferrer nofollow\"", in: page) == 5)
  }

  @Test("a name's text direction ends with the name, and control characters in the name are removed")
  func directions() {
    let user = User(id: "1", screenName: "s\u{202e}n", name: "n\u{202e}\u{2067}\u{1b}[2Jm\u{0}e")
    let page = PageSamples.page([PageSamples.item("1", by: user, "t\u{202e}x\u{2066}t\u{7}")])
    #expect(page.contains("<bdi>nme</bdi>"))
    #expect(page.contains("<bdi>@sn</bdi>"))
    #expect(page.contains("dir=\"auto\""))
    #expect(
      !page.unicodeScalars.contains { (0x202a...0x202e).contains($0.value) || (0x2066...0x2069).contains($0.value) })
    #expect(!page.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  @Test("a picture's path always leads to a place next to or below the page, regardless of its content")
  func paths() {
    let pictures = PagePictures(paths: [
      "1": "javascript:x", "2": "//evil.example/x", "3": "../_media/ab/c d.jpg", "4": "",
    ])
    #expect(pictures.path(of: "1") == "./javascript%3ax")
    #expect(pictures.path(of: "2") == ".///evil.example/x")
    #expect(pictures.path(of: "3") == "./../_media/ab/c%20d.jpg")
    #expect(pictures.path(of: "4") == nil)
    #expect(pictures.path(of: "https://img.example/other") == nil)
  }

  @Test("a picture that is not stored is never loaded, but becomes a link with its alternative text")
  func notKept() {
    let post = PageSamples.item("1") {
      $0.media = [Media(kind: .photo, url: "https://img.example/9.jpg", alternativeText: "a cat")]
    }
    let page = PageSamples.page([post])
    #expect(!page.contains("<img"))
    #expect(page.contains("href=\"https://img.example/9.jpg\""))
    #expect(page.contains("Photo at <bdi>img.example</bdi>"))
    #expect(page.contains("a cat"))
  }

  @Test("no post id can end its anchor's attribute, and different ids produce different anchors")
  func anchors() {
    let names = ["a\" b", "a b", "a_20b", "a-b", "ab", "é", "a\u{0}"].map {
      PageAnchor.name(account: "d", post: PostID($0))
    }
    #expect(Set(names).count == names.count)
    let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
    #expect(names.allSatisfy { $0.allSatisfy(allowed.contains) })
    #expect(PageAnchor.name(account: "a-b", post: PostID("c")) != PageAnchor.name(account: "a", post: PostID("b-c")))
  }
}
