extension Unreadable {
  /// Describes a body that is no answer, by its own words where it has some and holds no token.
  init(described answer: Answer, otherwise: String = "something else") {
    let body = answer.body
    switch ErrorWords.read(body) {
    case .page: self.init(Self.page)
    case .words(let words), .plain(let words):
      let text = PlainWords.cleaned(words.text.utf8, hiding: answer.hiding)
      self.init(text.isEmpty || Self.mayHoldToken(body) ? otherwise : "the words “\(text)”")
    case .nothing: self.init(body.isEmpty ? "an empty body" : otherwise)
    }
  }

  private static let page = "a web page"

  /// What to do about an answer that is described so; nil where nothing special helps.
  static func advice(on words: String, status: Int) -> String? {
    let isFromNetwork = RefusalAdvice.isRedirect(status) || words == page && (status < 400 || status == 511)
    return isFromNetwork ? RefusalAdvice.page.advice : nil
  }

  /// A token answer that is broken somewhere must not be quoted.
  private static func mayHoldToken(_ body: [UInt8]) -> Bool {
    let text = ASCII.lowercased(String(decoding: body.prefix(ErrorWords.byteLimit), as: UTF8.self))
    return ["access_token", "refresh_token", "accesstoken", "refreshtoken", "device_code"].contains {
      text.contains($0)
    }
  }
}
