/// What a provider's error answer says, and what follows from it.
///
/// It is found by the body and not by the status: a refusal can come with 200.
public struct ProviderRefusal: Error, Sendable, Hashable {
  /// What it asks of us.
  public let kind: RefusalKind
  /// The provider's own words on one line: at most 300 characters, without control characters and without the secrets that the answer
  /// hides. For a page, what came where what was expected.
  public let message: String
  /// The provider's number for it, such as 89.
  public let code: Int?
  /// The value of `oauth_problem`, such as `token_rejected`.
  public let problem: String?
  /// The `reason` of a problem document, else the last part of its `type` (RFC 9457), such as `usage-capped`.
  public let type: String?
  /// The status that it came with.
  public let status: Int?
  /// What the user should do.
  public let advice: String
  /// The server's time in seconds since 1970, where the words tell it: something for ``ClockOffset``.
  public let serverTime: Int64?
  /// Whether it is about the callback address: the application has another one registered, or none.
  public let isAboutCallback: Bool
  /// Whether ``message`` is ours, since the answer had no words.
  public let isWordless: Bool

  /// Finds the refusal in an answer, nil when there is none: data without an error, under a status that is no error.
  ///
  /// `expecting` names what should have come instead (`a token answer`), for the case that a page did.
  public init?(_ answer: Answer, expecting: String) {
    if let status = answer.status, RefusalAdvice.isRedirect(status) {
      // No server of an API sends its clients elsewhere, but networks do that want a log-in first.
      self.init("a redirect (status \(status)) where \(expecting) was expected", status: status, .page)
      return
    }
    let body = ErrorWords.read(answer.body)
    if let challenge = answer.challenges.lazy.compactMap({ ErrorWords(challenge: $0) }).first {
      self.init(challenge, in: answer)
      return
    }
    let failed = answer.status.flatMap { RefusalAdvice.byStatus($0) }
    switch body {
    case .words(let words), .plain(let words):
      self.init(words, in: answer)
    case .page:
      let status = answer.status.map { $0 >= 400 ? " (status \($0))" : "" } ?? ""
      self.init("an HTML page\(status) where \(expecting) was expected", status: answer.status, failed ?? .page)
    case .nothing:
      guard let status = answer.status, let failed else { return nil }
      self.init("status \(status) without a word", status: status, failed)
    }
  }

  private init(_ words: ErrorWords, in answer: Answer) {
    let text = PlainWords.cleaned(words.text.utf8, hiding: answer.hiding)
    let known = Self.known(words, text: ASCII.lowercased(text), status: answer.status)
    kind = known.kind
    advice = known.advice
    isAboutCallback = known.isAboutCallback
    message = text
    code = words.code
    problem = words.problem.map { PlainWords.cleaned($0.utf8, hiding: answer.hiding) }
    type = words.type.map { PlainWords.cleaned($0.utf8, hiding: answer.hiding) }
    status = answer.status
    serverTime = ServerTime.find(in: text)
    isWordless = false
  }

  private init(_ message: String, status: Int?, _ known: RefusalAdvice) {
    kind = known.kind
    advice = known.advice
    isAboutCallback = known.isAboutCallback
    self.message = message
    code = nil
    problem = nil
    type = nil
    self.status = status
    serverTime = nil
    isWordless = true
  }

  /// What is known of it, from the surest sign to the vaguest.
  private static func known(_ words: ErrorWords, text: String, status: Int?) -> RefusalAdvice {
    if let problem = words.problem, let known = RefusalAdvice.byProblem[problem] { return known }
    if let code = words.code, let known = RefusalAdvice.byCode[code] { return known }
    if let type = words.type, let known = RefusalAdvice.byType[type] { return known }
    // Money is never about what the words may mention beside it.
    if status == 402 { return .pay }
    if let known = RefusalAdvice.byPhrase.first(where: { text.contains($0.phrase) }) { return known.advice }
    return status.flatMap { RefusalAdvice.byStatus($0) } ?? .unknown
  }
}

extension ProviderRefusal: CustomStringConvertible {
  /// The provider's words, its number, the status where the server itself is in trouble, and the advice.
  public var description: String {
    let numbers = [
      code.map { "code \($0)" }, status.flatMap { $0 >= 500 ? "status \($0)" : nil },
    ].compactMap(\.self).joined(separator: ", ")
    let number = numbers.isEmpty ? "" : " (\(numbers))"
    return isWordless
      ? "The provider sent \(message). \(advice)" : "The provider says: “\(message)”\(number). \(advice)"
  }
}
