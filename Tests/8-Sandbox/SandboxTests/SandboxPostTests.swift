import Bytes
import Testing

@testable import Sandbox

@Suite("The sandbox's posts")
struct SandboxPostTests {
  /// Returns the 800 posts that clients can reach.
  private static func posts(_ mode: String) throws -> [ReceivedPost] {
    var client = TwitterTestClient()
    let token = try client.login()
    var posts: [ReceivedPost] = []
    for _ in 0..<4 {
      let limit = posts.last.map { "&max_id=\($0.id - 1)" } ?? ""
      posts += try client.page("?count=200\(limit)&tweet_mode=\(mode)", by: token)
    }
    return posts
  }

  private static func unescaped(_ text: String) -> String {
    text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
  }

  @Test(
    "The indices of each entity match the post's text, whether it is whole or truncated",
    arguments: ["extended", "compat"])
  func places(mode: String) throws {
    for post in try Self.posts(mode).flatMap({ [$0] + $0.reposted + $0.quoted }) {
      let scalars = Array((post.fullText ?? post.text ?? "").unicodeScalars)
      for mark in post.marks {
        #expect(mark.start < mark.end && mark.end <= scalars.count)
        var word = String.UnicodeScalarView()
        word.append(contentsOf: scalars[mark.start..<mark.end])
        #expect(Array(String(word).utf8) == Array(mark.word.utf8))
      }
      #expect(post.idText == String(post.id))
    }
  }

  @Test(
    "A post's extended form has the full text; its compatible form has 140 characters and a link to the rest")
  func forms() throws {
    let (extended, compatible) = (try Self.posts("extended"), try Self.posts("compat"))
    #expect(extended.map(\.id) == compatible.map(\.id))
    var cut = 0
    for (whole, short) in zip(extended, compatible) {
      #expect(whole.text == nil && short.fullText == nil && short.displayRange == nil)
      let (full, text) = (try #require(whole.fullText), try #require(short.text))
      #expect(!whole.isTruncated)
      #expect(text.unicodeScalars.count <= 140)
      let range = try #require(whole.displayRange)
      #expect(0 <= range[0] && range[0] <= range[1] && Int(range[1]) <= full.unicodeScalars.count)
      guard whole.reposted.isEmpty else { continue }
      #expect(short.isTruncated == (full.unicodeScalars.count > 140))
      if short.isTruncated {
        cut += 1
        #expect(text.contains("… https://t.co/"))
        #expect(short.expandedAddresses.contains("https://twitter.com/i/web/status/\(short.id)"))
        #expect(full.hasPrefix(String(text.prefix { $0 != "…" })))
      } else {
        #expect(text == full)
      }
    }
    #expect(cut > 5)
  }

  @Test("A long repost is truncated, begins with the original's author, and contains the whole original")
  func reposts() throws {
    let reposts = try Self.posts("extended").filter { !$0.reposted.isEmpty }
    #expect(reposts.count > 60)
    var cut = 0
    for post in reposts {
      let (outer, original) = (try #require(post.fullText), post.reposted[0])
      let inner = try #require(original.fullText)
      #expect(outer.hasPrefix("RT @\(original.author): "))
      #expect(original.author != post.author)
      #expect(original.id < post.id)
      #expect(original.language == post.language)
      if outer.hasSuffix("…") { cut += 1 } else { #expect(outer == "RT @\(original.author): \(inner)") }
    }
    #expect(cut > 30)
  }

  @Test("A sandbox timeline contains many scripts, entities, escapes, quotes, replies, pictures and videos")
  func variety() throws {
    let posts = try Self.posts("extended")
    func count(_ holds: (ReceivedPost) -> Bool) -> Int { posts.filter(holds).count }
    func holds(_ scalars: ClosedRange<Unicode.Scalar>) -> Int {
      count { $0.fullText!.unicodeScalars.contains { scalars.contains($0) } }
    }
    #expect(Set(posts.map(\.author)).count == 12)
    #expect(holds("\u{4e00}"..."\u{9fff}") > 40)  // Han
    #expect(holds("\u{3040}"..."\u{30ff}") > 20)  // Kana
    #expect(holds("\u{ac00}"..."\u{d7a3}") > 20)  // Hangul
    #expect(holds("\u{0400}"..."\u{04ff}") > 20)  // Cyrillic
    #expect(holds("\u{0590}"..."\u{05ff}") > 20)  // Hebrew
    #expect(holds("\u{0600}"..."\u{06ff}") > 20)  // Arabic
    #expect(holds("\u{1f300}"..."\u{1faff}") > 40)  // Emoji
    for escape in ["&amp;", "&lt;", "&gt;"] { #expect(count { $0.fullText!.contains(escape) } > 3) }
    for kind in ["hashtags", "user_mentions", "urls", "media"] {
      #expect(count { $0.marks.contains { $0.kind == kind } } > 20)
    }
    #expect(count { !$0.quoted.isEmpty } > 30)
    #expect(count(\.isReply) > 50)
    #expect(count { $0.mediaTypes.contains("photo") } > 50)
    #expect(count { $0.mediaTypes.count > 1 } > 5)
    #expect(count { $0.mediaTypes == ["video"] } > 5)
    #expect(count { !$0.alternativeTexts.isEmpty } > 30)
    #expect(count { $0.mediaTypes.contains("photo") && $0.alternativeTexts.isEmpty } > 3)
  }

  @Test("The text of sandbox posts contains no unfilled placeholders and no unescaped characters")
  func finished() throws {
    for post in try Self.posts("extended").flatMap({ [$0] + $0.reposted + $0.quoted }) {
      let text = try #require(post.fullText)
      #expect(!text.contains("{") && !text.contains("}"))
      let bare = text.replacing("&amp;", with: "").replacing("&lt;", with: "").replacing("&gt;", with: "")
      #expect(!bare.contains { "&<>".contains($0) })
      #expect(!Self.unescaped(text).isEmpty)
      for address in post.expandedAddresses { _ = try RequestURL(address) }
    }
  }

  @Test("A reply begins with a mention, which its display range leaves out")
  func replies() throws {
    let posts = try Self.posts("extended")
    for post in posts where post.isReply {
      let mark = try #require(post.marks.first { $0.kind == "user_mentions" && $0.start == 0 })
      #expect(post.displayRange?[0] == Int64(mark.end + 1))
    }
  }
}
