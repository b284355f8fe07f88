import FoundationEssentials
import Glibc
import Posting
import TestSupport
import Testing

/// Compares weighted lengths with those of twitter-text-parser, called through `Tests/Peers/weigh_texts.py`.
@Suite struct LengthPeerTests {
  private static let parts = [
    "a", "Zz9", " ", "\n", "\r\n", ".", "..", "-", "_", "/", "//", ":", ":80", "?", "?q=1", "&x=", "#tag", "@user", "(",
    ")", "(b)", "http://", "https://", "HTTPS://", "example", "example.com", "foo.bar", "t.co", "https://t.co/abc",
    "co.uk",
    " a.xn--p1ai ", "com", "org", "jp", "www.", "例え", ".jp", "テスト", "é", "e\u{301}", "ö", "и", "한", "中国", ".中国",
    "\u{200E}", "…", "“", "$", "＃", "~", "!", ",", ";", "'", "\"", "%20", "+", "|", "[1]", "\u{1680}", "x_y",
    // The emoji is surrounded by spaces. The parser refuses a domain name that contains it, because Python's IDNA tables are older than the
    // emoji.
    " 👍 ", " 👍🏽👍 ", " 👨‍👩‍👧👍\u{FE0F} ", " 🇩🇪🇫🇷 ", " 1\u{FE0F}\u{20E3}2 ", " ☀\u{FE0F}☀ ", " 🏳️‍🌈\u{200D} ", " ☀\u{FE0E} ",
  ]

  @Test(
    "random text has the same weighted length as in twitter-text-parser",
    .enabled(if: getenv("HOMELINE_PEERS_PYTHON") != nil, "HOMELINE_PEERS_PYTHON is not set"))
  func random() async throws {
    let python = String(cString: try #require(getenv("HOMELINE_PEERS_PYTHON")))
    let script = Repository.path("Tests/Peers/weigh_texts.py")
    var generator = SeededGenerator(seed: 16)
    let texts = (0..<4000).map { _ in
      (0..<Int.random(in: 1...12, using: &generator)).map { _ in Self.parts.randomElement(using: &generator)! }.joined()
    }
    let lines = try texts.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }.joined(separator: "\n")
    let outcome = try await ProgramRun.run(
      python, [script], environment: ProgramRun.environment(home: "/nonexistent", ["PYTHONDONTWRITEBYTECODE": "1"]),
      input: .text(lines + "\n"))
    try #require(outcome.code == 0, "\(outcome.error)")
    let weights = outcome.output.split(separator: "\n").compactMap { Int($0) }
    try #require(weights.count == texts.count)
    for (text, weight) in zip(texts, weights) {
      #expect(LengthRule.weighted().length(of: text).count == weight, "\(Array(text.unicodeScalars))")
    }
  }
}
