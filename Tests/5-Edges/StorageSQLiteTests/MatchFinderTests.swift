import Formats
import Storage
import StorageSQLite
import TestSupport
import Testing
import Time
import Timeline

/// The places in a post that a query matches.
@Suite struct MatchFinderTests {
  private func post(_ text: String) -> Post {
    Post(
      id: PostID("1"), createdAt: Timestamp(seconds: 1), author: User(id: "1", screenName: "mira", name: "Mira Ünal"),
      text: text)
  }

  /// Returns text with its matches in brackets.
  private func bracketed(_ text: String, _ ranges: [Range<Int>]) -> String {
    let scalars = Array(text.unicodeScalars)
    let marked = Set(ranges.joined())
    var view = String.UnicodeScalarView()
    for index in scalars.indices {
      if marked.contains(index), !marked.contains(index - 1) { view.append("[") }
      view.append(scalars[index])
      if marked.contains(index), !marked.contains(index + 1) { view.append("]") }
    }
    return String(view)
  }

  @Test(
    "the matches of a query are the places in the text that make the index find the post",
    arguments: [
      ("apple", "An Apple, apples and pineapple", "An [Apple], apples and pineapple"),
      ("appl*", "An Apple, apples and pineapple", "An [Apple], [apples] and pineapple"),
      ("creme", "Crème brûlée", "[Crème] brûlée"),
      ("BRÛLÉE", "cre\u{300}me bru\u{302}le\u{301}e!", "cre\u{300}me [bru\u{302}le\u{301}e]!"),
      ("\"full moon\"", "moon, full\nmoon", "moon, [full\nmoon]"),
      ("moon full", "moon, full\nmoon", "[moon], [full]\n[moon]"),
      ("moon OR sun -star", "sun and moon", "[sun] and [moon]"),
      ("東京都", "昔の東京都、今の東京", "昔の[東京都]、今の東京"), ("京都", "東京都に行く", "東[京都]に行く"),
      ("都", "東京都、都会", "東京[都]、[都]会"), ("都都", "都都都", "[都都都]"), ("手机", "iPhone手机2024", "iPhone[手机]2024"),
      ("ガギ", "ｶﾞｷﾞだ", "[ｶﾞｷﾞ]だ"), ("が", "か\u{3099}く", "[か\u{3099}]く"), ("한국", "한국어", "[한국]어"),
      ("👍", "yes👍🏽no", "yes[👍]🏽no"), ("abc1", "xＡＢｃ１ ＡＢｃ１", "xＡＢｃ１ [ＡＢｃ１]"),
      ("b", "a\u{1}b\u{2}c\u{0}b", "a\u{1}[b]\u{2}c\u{0}[b]"), ("none", "nothing", "nothing"),
    ])
  func places(query: String, text: String, expected: String) throws {
    let matches = try MatchFinder.matches(of: SearchQuery(query), in: [post("other"), post(text)])
    #expect(matches.count == 2 && bracketed(text, matches[1].ranges[.text] ?? []) == expected)
  }

  @Test("matches are found in names, quotations and descriptions, and @ finds only names")
  func parts() throws {
    var post = post("mira wrote cat")
    let quoted = User(id: "2", screenName: "cat", name: "Tom")
    post.quoted = Post.Quote(
      id: PostID("2"), createdAt: post.createdAt, author: quoted, text: "a cat", url: nil,
      media: [Media(kind: .photo, url: "u", alternativeText: "cat")])
    post.media = [Media(kind: .photo, url: "u"), Media(kind: .photo, url: "u", alternativeText: "the cat")]
    post.repostedBy = User(id: "3", screenName: "x", name: "Cat")
    let cat = try MatchFinder.matches(of: SearchQuery("cat"), in: [post])[0].ranges
    #expect(
      cat == [
        .text: [11..<14], .quotedText: [2..<5], .description(1): [4..<7], .quotedDescription(0): [0..<3],
        .name(.reposter): [0..<3], .screenName(.quotedAuthor): [0..<3],
      ])
    let mira = try MatchFinder.matches(of: SearchQuery("@mira"), in: [post])[0].ranges
    #expect(mira == [.screenName(.author): [0..<4], .name(.author): [0..<4]])
    #expect(try MatchFinder.matches(of: SearchQuery("unal"), in: [post])[0].ranges == [.name(.author): [5..<9]])
  }

  @Test("for any post, the text that is searched for matches equals the text in the index")
  func sameText() {
    for text in HostileTexts.all + ["", "東京 ｶﾞ👍🏽e\u{301}", "a\u{fe0f}\u{3099}"] {
      let post = post(text)
      #expect(IndexedPost(post).text.text == SearchText.text(of: post))
      #expect(IndexedPost(post).author.text == SearchText.author(of: post))
    }
  }
}
