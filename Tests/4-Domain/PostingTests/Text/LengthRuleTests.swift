import Testing

@testable import Posting

@Suite struct LengthRuleTests {
  @Test("text at the length limit has no characters left, and one more character is a problem")
  func limit() {
    let full = LengthRule.weighted().length(of: String(repeating: "x", count: 280))
    #expect(full.remaining == 0 && full.isWithinLimit && full.problem == nil)
    let long = LengthRule.weighted().length(of: String(repeating: "x", count: 281))
    #expect(long.remaining == -1 && !long.isWithinLimit)
    #expect(long.problem == "The text has 281 of 280 characters; shorten it by 1.")
  }

  @Test("a server without a limit accepts any text")
  func noLimit() {
    let length = LengthRule.codePoints(limit: nil).length(of: String(repeating: "x", count: 100_000))
    #expect(length.count == 100_000 && length.remaining == nil && length.isWithinLimit && length.problem == nil)
  }

  @Test("text with few characters can still exceed a limit in bytes")
  func bytes() {
    let family = "👨‍👩‍👧‍👦"
    let length = LengthRule.graphemes(limit: 300, byteLimit: 3000).length(of: String(repeating: family, count: 121))
    #expect(length.problem == "The text has 3025 of 3000 bytes; shorten it by 25.")
    #expect(LengthRule.graphemes(limit: 300, byteLimit: 3000).length(of: "abc").unit == .characters)
  }

  @Test(
    "Weibo counts two ASCII characters as one character, and rounds up",
    arguments: [
      ("", 0), ("a", 1), ("ab", 1), ("abc", 2), ("字", 1), ("字a", 2), ("字ab", 2), ("，", 1),
    ])
  func weibo(text: String, count: Int) { #expect(LengthRule.weibo().length(of: text).count == count) }

  // MARK: - Mastodon

  private static let mastodon: [(String, Int)] = [
    ("", 0), ("@user@host.org", 5), ("@user", 5), ("mail@host.org", 13), ("@user@", 6), ("@a.b@c.d.", 5),
    ("@ü@host", 7),
    ("x @u@hi y", 6), ("https://a.org/", 23), ("https://a.org/.", 24), ("HTTPS://A.ORG/x", 23),
    ("https://a.org, and", 28),
    ("https://a.org/x, and", 28), ("https://a.org:8080/x", 23), ("xhttps://a.org", 14), ("ftp://a.org", 11),
    ("https://host/", 13), ("a.org", 5), ("<https://a.org/x>", 25), ("https://a.org/?a=b&c", 23),
    ("https://xn--fsq.org/", 23), ("https://a.org?q=1", 23), ("https://a.org/@user@host.org", 23),
  ]

  @Test("Mastodon counts addresses and mentions in their shortened form", arguments: mastodon)
  func shortened(text: String, count: Int) { #expect(LengthRule.mastodon(limit: 500).length(of: text).count == count) }

  @Test("Mastodon counts the content warning, with its addresses in full")
  func warning() {
    let warning = "see https://example.org/a/long/path"
    let length = LengthRule.mastodon(limit: 40).length(of: "a\u{301}", warning: warning)
    #expect(length.count == warning.count + 1)
    #expect(LengthRule.mastodon(limit: 5, addressLength: 30).length(of: "https://a.org").count == 30)
    let long = LengthRule.mastodon(limit: 5, addressLength: LengthRule.addressLengths.upperBound)
    let links = Array(repeating: "https://a.org/x", count: 1000).joined(separator: " ")
    #expect(long.length(of: links).count == 1000 * 8192 + 999)
    // A combining character joins the address before it.
    #expect(LengthRule.mastodon(limit: 5).length(of: "https://a.org\u{301} b", warning: "w").count == 26)
  }

  // MARK: - X

  private static let weighted: [(String, Int)] = [
    ("©", 1), ("©\u{FE0F}", 2), ("1", 1), ("1\u{FE0F}\u{20E3}", 2), ("#\u{20E3}", 2), ("☀", 2), ("☀\u{FE0F}", 2),
    ("☀\u{FE0E}", 4), ("🏴󠁧󠁢󠁳󠁣󠁴󠁿", 2), ("👍🏽", 2), ("👍🏽👍", 4), ("👍\u{FE0F}", 4), ("🏳️‍🌈", 2), ("🇩", 2), ("☀🏽", 4), ("👩\u{200D}", 3),
    ("“”‘’", 4), ("…", 2),
    ("가", 2), ("\u{1100}\u{1161}", 2), ("a\r\nb\r\n", 4),
    ("t.co", 23), ("https://t.co/abc,def", 27), ("https://t.co/abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstu", 60),
    ("@example.com", 12), ("-example.com", 12), ("a@example.com", 13), ("EXAMPLE.COM", 23), ("example.com:80/x", 23),
    ("example.com:80", 26), ("日本語example.com中国語", 35), ("example.com example.org", 47), ("a_b.com", 7),
    ("x_y.a.com", 25), ("https://x_y.a.com", 23), ("example.com/a?b=c.", 24), ("example.com?b=c", 27),
    ("a.xn--p1ai", 23),
    ("例え.中国", 9), ("https://例え.中国", 23), ("https://example.com/a_(b_(c))d", 23), ("https://example.com/a_(b", 25),
  ]

  @Test("X counts emoji, and addresses with and without a scheme, by its own weights", arguments: weighted)
  func weight(text: String, weight: Int) { #expect(LengthRule.weighted().length(of: text).count == weight) }

  @Test(
    "counting hostile text takes time linear in its length", .timeLimit(.minutes(1)),
    arguments: ["a.", "(", "http://a.", "/", "x@", "@a.", "e\u{301}"])
  func hostile(part: String) {
    let text = "https://example.com/" + String(repeating: part, count: 30_000)
    #expect(LengthRule.weighted().length(of: text).count > 23)
    #expect(LengthRule.mastodon(limit: 500).length(of: text).count >= 23)
  }
}
