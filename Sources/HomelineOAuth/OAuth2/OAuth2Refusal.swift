/// The server's no to a request for a token, in the standard's form (RFC 6749 §5.2).
///
/// Only this says that a code or a token is dead; an answer in any other form does not (``OAuth2AnswerError``).
public struct OAuth2Refusal: Error, Sendable, Hashable {
  /// The HTTP status, 0 when it is not known. It is 400 or 401 by the standard, but 200 and 403 have been seen.
  public let status: Int
  /// `error`, such as `invalid_grant`; one line without control characters.
  public let code: String
  /// `error_description`, likewise; nil without one.
  public let description: String?
  /// The provider's number for it, `error_code` at Weibo; nil without one.
  public let errorCode: Int?
  /// The provider's numbers for it where it lists several, `error_codes` at Microsoft; empty without them.
  public let errorCodes: [Int]

  /// Takes the words as they came, and cleans them.
  public init(
    status: Int, code: String, description: String? = nil, errorCode: Int? = nil, errorCodes: [Int] = [],
    hiding: Redaction = .nothing
  ) {
    self.status = status
    self.code = PlainWords.cleaned(code.utf8, hiding: hiding)
    let words = PlainWords.cleaned((description ?? "").utf8, hiding: hiding)
    self.description = words.isEmpty ? nil : words
    self.errorCode = errorCode
    self.errorCodes = errorCodes
  }

  /// All of it in a line: `invalid_grant: The code is spent. (21325)`.
  public var words: String {
    [description.map { "\(code): \($0)" } ?? code, errorCode.map { "(\($0))" }].compactMap { $0 }.joined(separator: " ")
  }

  /// Whether its words are about the redirect address: the application has another one registered, or none.
  public var isAboutRedirect: Bool {
    let text = ASCII.lowercased(words)
    return ["redirect_uri", "redirect uri", "redirect url", "callback"].contains { text.contains($0) }
  }
}

extension OAuth2Refusal {
  /// The refusal in an answer, nil when there is none. `"error": null` and its like are none.
  init?(_ members: AnswerMembers, in answer: Answer) {
    guard let code = members.text("error") else { return nil }
    let number: Int? =
      switch members["error_code"] {
      case .text(let text)?, .number(let text)?: Int(text)
      default: nil
      }
    var numbers: [Int] = []
    if case .numbers(let texts)? = members["error_codes"] { numbers = texts.compactMap { Int($0) } }
    self.init(
      status: answer.status ?? 0, code: code, description: members.text("error_description"), errorCode: number,
      errorCodes: numbers, hiding: answer.hiding)
  }
}
