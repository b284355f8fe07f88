import Testing
import Time
import Timeline

@testable import Storage

@Suite struct SearchTextTests {
  private func words(_ text: String) -> [Substring] { SearchText.indexed(text).split(separator: " ") }

  @Test(
    "runs of characters without spaces are indexed as overlapping pairs plus the last character",
    arguments: [
      ("東京都", "東京 京都 都"), ("東", "東"), ("東京 大阪", "東京 京 大阪 阪"), ("スーパー", "スー ーパ パー ー"),
      ("한국어", "한국 국어 어"), ("ㄅㄆ", "ㄅㄆ ㄆ"), ("𠀋𠮷", "𠀋𠮷 𠮷"), ("人々", "人々 々"),
    ])
  func pairs(text: String, expected: String) { #expect(words(text).joined(separator: " ") == expected) }

  @Test("a run without spaces ends at letters from other scripts, which remain separate words")
  func boundaries() {
    #expect(words("iPhone手机2024年好") == ["iPhone", "手机", "机", "2024", "年好", "好"])
    #expect(words("caffè naïve") == ["caffè", "naïve"])
  }

  @Test(
    "text typed in one Unicode form matches text written in another",
    arguments: [
      ("ｶﾞｷﾞﾊﾟｰ", "ガギパー"), ("か\u{3099}", "が"), ("ハ\u{309a}", "パ"), ("ウ\u{3099}", "ヴ"), ("ＡＢｃ１", "ABc1"),
      ("\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}", "한국"), ("葛\u{e0100}城", "葛城"), ("ﾜﾞ", "ヷ"), ("ﾂﾞﾃﾞﾄﾞ", "ヅデド"),
    ])
  func forms(written: String, typed: String) { #expect(SearchText.indexed(written) == SearchText.indexed(typed)) }

  @Test("a sound mark without a matching letter is dropped from the search text")
  func loneMark() { #expect(SearchText.indexed("a\u{3099}あ\u{3099}\u{309a}") == SearchText.indexed("aあ")) }

  @Test(
    "text that is indexed piece by piece is the same as text that is indexed as a whole",
    arguments: [
      "", "plain", "é", "naïve café 東京都 x", "手机iPhone手机", "a\u{3099}か\u{3099}b", "e\u{301}", "ＡＢ 東Ａ京",
      "\u{1100}a\u{1161}", "🤔hello👍🏽", "x\u{fe0f}y", "ｶa\u{ff9e}ﾞ",
    ])
  func pieces(text: String) { #expect(SearchText.indexed(text) == SearchText.traced(text).text) }

  @Test("an emoji is a separate word in any colour and is never part of another emoji")
  func emoji() {
    #expect(words("hello🤔")[0] == "hello")
    #expect(words("hello🤔").count == 2)
    #expect(words("👍🏽") == words("👍"))
    #expect(words("🤔") != words("😀"))
    #expect(words("a\u{2066}b\u{2069}") == ["a", "b"])
  }

  @Test(
    "the indexed text consists of the post, its quote and all alternative texts; the author column contains all users"
  )
  func post() {
    let jack = User(id: "1", screenName: "jack", name: "Jack 杰克")
    let mira = User(id: "2", screenName: "mira_demo", name: "Mira")
    let anna = User(id: "3", screenName: "anna", name: "Anna")
    let quote = Post.Quote(
      id: PostID("7"), createdAt: noon, author: anna, text: "quoted words", url: nil,
      media: [Media(kind: .photo, url: "https://example.org/q", alternativeText: "a lake")])
    let post = Post(
      id: PostID("8"), createdAt: noon, author: jack, text: "own words", repostedBy: mira, quoted: quote,
      media: [
        Media(kind: .photo, url: "https://example.org/p", alternativeText: "a cat"),
        Media(kind: .photo, url: "https://example.org/r"),
      ])
    #expect(SearchText.text(of: post) == "own words\nquoted words\na cat\na lake")
    #expect(
      SearchText.author(of: post).split { $0 == " " || $0 == "\n" } == [
        "jack", "Jack", "杰克", "克", "mira_demo", "Mira", "anna", "Anna",
      ])
  }
}
