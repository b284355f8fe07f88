extension ErrorWords {
  /// What an error body is, judged by its first bytes.
  enum Body {
    /// Data without an error in it.
    case nothing
    /// An error.
    case words(ErrorWords)
    /// An HTML page.
    case page
    /// A text without any form, `Error: …` at MediaWiki.
    case plain(ErrorWords)
  }

  /// What is looked at of a body; errors are short.
  static let byteLimit = 65_536

  /// Reads a body by its content: content types lie (X answers form data as `text/html`).
  static func read(_ body: [UInt8]) -> Body {
    let start = Array(body.prefix(byteLimit).drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF })
    switch start.first {
    case nil:
      return .nothing
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      // What is too long to be an error, or cut off, is data for others to judge.
      guard let json = ErrorJSON(start), let words = ErrorWords(json: json) else { return .nothing }
      return .words(words)
    case UInt8(ascii: "<"):
      if isPage(start) { return .page }
      return ErrorWords(xml: start).map { .words($0) } ?? .page
    default:
      if let form = form(start) { return form }
      // A token answer that is broken somewhere must not be quoted: it holds the secret.
      if holdsSecret(start) { return .nothing }
      return .plain(ErrorWords(code: nil, problem: nil, text: String(decoding: start, as: UTF8.self)))
    }
  }

  private static func holdsSecret(_ bytes: [UInt8]) -> Bool {
    String(decoding: bytes, as: UTF8.self).contains("oauth_token_secret")
  }

  /// Form data is known by names without blanks in front of a `=`; anything else is a sentence.
  private static func form(_ bytes: [UInt8]) -> Body? {
    let name = bytes.prefix { $0 != UInt8(ascii: "=") }
    guard name.count < bytes.count, name.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: ":") }),
      let parameters = try? FormEncoding.decode(bytes)
    else { return nil }
    return ErrorWords(form: parameters).map { .words($0) } ?? .nothing
  }

  private static func isPage(_ bytes: [UInt8]) -> Bool {
    let head = ASCII.lowercased(String(decoding: bytes.prefix(1_024), as: UTF8.self))
    return head.hasPrefix("<!doctype html") || head.contains("<html") || head.contains("<head")
      || head.contains("<body")
  }
}
