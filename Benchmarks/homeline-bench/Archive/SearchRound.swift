internal import Benchmarking
internal import Storage
internal import Timeline

/// Measures several kinds of searches, and repeats each search.
struct SearchRound {
  private static let repetitions = 20

  private let queries: [(kind: String, text: String)]

  init(_ posts: SyntheticPosts, among count: Int) {
    let words = posts.words
    let pair = "\(SyntheticWords.character(3))\(SyntheticWords.character(90))"
    // This phrase is in an existing post.
    let phrase = Self.phrase(of: posts, from: count / 2)
    queries = [
      ("a word", words.word(3000)), ("a common word", words.word(0)), ("a rare word", words.word(29_000)),
      ("two words, one of them common", "\(words.word(0)) \(words.word(3000))"), ("a phrase", "\"\(phrase)\""),
      ("a CJK word", pair), ("a CJK character", String(SyntheticWords.character(1500))),
    ]
  }

  func run(on archive: MeasuredArchive) throws {
    Report.head("search for", "posts shown, of 20", "median ms", "p90 ms", "processor median ms")
    for (kind, text) in queries {
      let query = try SearchQuery(text)
      var found = 0
      let samples = try (0..<Self.repetitions).map { _ in
        try Elapsed.of { found = try archive.search(query).count }
      }
      let wall = Samples(samples.map(\.wall))
      Report.row(
        kind, String(found), Report.number(wall.median, 2), Report.number(wall.p90, 2),
        Report.number(Samples(samples.map(\.processor)).median, 2))
    }
  }

  private static func phrase(of posts: SyntheticPosts, from number: Int) -> String {
    var number = number
    while posts.post(number).language != "en" { number += 1 }
    return posts.post(number).text.split(separator: " ")[4..<7].joined(separator: " ")
  }
}
