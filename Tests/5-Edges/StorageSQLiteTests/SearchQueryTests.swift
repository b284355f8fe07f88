import TestSupport
import Testing

@testable import Storage

@Suite struct SearchQueryTests {
  // MARK: Results

  @Test(
    "a search query finds words, phrases, prefixes, alternatives and exclusions as documented",
    arguments: [
      ("apple", [0, 1, 3]), ("apple pie", [0, 1]), ("\"apple pie\"", [0]), ("apple -pie", [3]),
      ("pie OR cider", [0, 1, 2]),
      ("appl*", [0, 1, 3, 4]), ("\"apple pi\"*", [0]), ("APPLE", [0, 1, 3]), ("creme", [5]), ("Crème", [5]),
      ("apple -\"apple pie\"", [1, 3]), ("-pie apple -cider", [3]), ("apple pie OR tart", [0, 1, 3]),
      ("“apple pie”", [0]),
      ("apple & pie!", [0, 1]), ("apple,pie", [0]), ("or", [6]), ("\"OR\"", [6]), ("and not near", [6]), ("appl", []),
      ("-", []),
    ] as [(String, [Int])])
  func finds(query: String, expected: [Int]) throws {
    let index = try SearchIndex([
      "An apple pie", "Pie with an apple", "Cider", "apple tart", "applet", "crème brûlée", "either or, and not near",
    ])
    if query == "-" {
      #expect(throws: SearchQueryError.noTerm) { try index.rows(query) }
    } else {
      #expect(try index.rows(query) == expected)
    }
  }

  @Test("@name in a query searches only names, while a word searches names and texts")
  func authors() throws {
    let index = try SearchIndex(
      ["hello jack_d", "hello", "bye"], authors: ["anna Anna", "jack_d Jack Dorn", "mira@example.org Mira"])
    #expect(try index.rows("jack_d") == [0, 1])
    #expect(try index.rows("@jack_d") == [1])
    #expect(try index.rows("@\"Jack Dorn\"") == [1])
    #expect(try index.rows("hello -@jack_d") == [0])
    #expect(try index.rows("@mira@example.org") == [2])
    #expect(try index.rows("@ja*") == [1])
    #expect(try index.rows("@anna OR @mira") == [0, 2])
  }

  @Test(
    "words of one, two or more characters are found in text without spaces",
    arguments: [
      ("手机", [0, 1, 2]), ("机", [0, 1, 2]), ("手", [0, 1, 2]), ("新手机", [0]), ("店", [0]), ("手店", []), ("机手", []),
      ("手机壳", []),
      ("\"iPhone 手机\"", [1]), ("iPhone手机", [1]), ("\"手机 is\"", [2]), ("手机！", [0, 1, 2]), ("机！", [0, 1, 2]),
      ("手机 -店", [1, 2]), ("東京", [3]), ("京都", [3]), ("ｽｰﾊﾟｰ", [4]), ("パー", [4]), ("국어", [5]), ("안녕", []),
    ] as [(String, [Int])])
  func withoutSpaces(query: String, expected: [Int]) throws {
    let index = try SearchIndex([
      "新手机店开门", "我的iPhone手机", "手机 is Chinese for it", "東京都に行く", "スーパーで買う", "한국어 공부",
    ])
    #expect(try index.rows(query) == expected)
  }

  /// A trigram tokenizer would find none of these words, because its index has no word of fewer than three characters.
  @Test("every pair of adjacent characters in a sentence is found, and no other pair")
  func everyPair() throws {
    let sentence = Array("今天天气很好我们去公园散步")
    let index = try SearchIndex([String(sentence)])
    let pairs = Set(zip(sentence, sentence.dropFirst()).map { String([$0, $1]) })
    for first in sentence {
      #expect(try index.rows(String(first)) == [0])
      for second in sentence {
        let pair = String([first, second])
        #expect(try index.rows(pair) == (pairs.contains(pair) ? [0] : []), "\(pair)")
      }
    }
  }

  @Test("a search finds emoji, both alone and next to words")
  func emoji() throws {
    let index = try SearchIndex(["hello🤔", "❤️ and 👍🏽", "😀😀"])
    #expect(try index.rows("hello") == [0])
    #expect(try index.rows("🤔") == [0])
    #expect(try index.rows("👍") == [1])
    #expect(try index.rows("❤") == [1])
    #expect(try index.rows("😀 -🤔") == [2])
  }

  // MARK: Errors

  @Test(
    "an invalid search query is refused with the reason and position",
    arguments: [
      ("", .noTerm), ("  ", .noTerm), ("!? --", .noTerm), ("-a -\"b c\"", .onlyExcludedTerms),
      ("one \"two", .openQuotation(at: 5)), ("日本 \"", .openQuotation(at: 4)), ("OR a", .misplacedOr(at: 1)),
      ("a OR", .misplacedOr(at: 3)), ("a OR OR b", .misplacedOr(at: 6)), ("a OR -b", .misplacedOr(at: 3)),
      ("-a OR b", .misplacedOr(at: 4)), (String(repeating: "a", count: 1001), .tooLong(limit: 1000)),
      (String(repeating: "a ", count: 51), .tooManyTerms(limit: 50)),
    ] as [(String, SearchQueryError)])
  func refused(query: String, error: SearchQueryError) { #expect(throws: error) { try SearchQuery(query) } }

  @Test("a search query of fifty terms and a thousand characters is accepted")
  func limits() throws {
    let index = try SearchIndex([String(repeating: "a", count: 1000), "a"])
    #expect(try index.rows(String(repeating: "a ", count: 50)) == [1])
    #expect(try index.rows(String(repeating: "a", count: 1000)) == [0])
  }

  @Test("SQLite accepts the expression generated from any query", arguments: 0..<40)
  func hostile(seed: UInt64) throws {
    let index = try SearchIndex(["a b c", "手机"])
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "\"", "'", "(", ")", "*", "^", ":", "+", "-", "@", "{", "}", "[", "]", "\\", ",", ".", ";", "?1", "NEAR(", "AND",
      "OR",
      "NOT", "author :", "text:", "a", "手", "机", "\u{0}", "\u{1}", "\n", "\u{301}", "\u{200d}", "🤔", "\u{fe0f}", "“",
      "Ⓐ",
      "\u{e000}", "\u{10ffff}", "\u{3099}", "--", "/*", "%", " ",
    ]
    var asked = 0
    for _ in 0..<100 {
      let text = (0..<Int.random(in: 1...12, using: &random)).map { _ in pieces.randomElement(using: &random)! }
      guard let query = try? SearchQuery(text.joined(separator: Bool.random(using: &random) ? " " : "")) else {
        continue
      }
      asked += 1
      #expect(throws: Never.self, "\(text)") { try index.rows(query) }
    }
    #expect(asked > 10)
  }
}
