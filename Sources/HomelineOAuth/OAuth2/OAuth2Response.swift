/// Reads answers of the token endpoint and of the device authorisation endpoint.
///
/// The status decides nothing: refusals come with 200, and token answers under any type.
struct OAuth2ResponseReader {
  private let members: ResponseMembers
  private let status: Int

  /// Reads the answer, which is one when it has the text `essential`; `names` may come once only.
  ///
  /// - Throws: ``OAuth2ResponseError`` for a refusal, and for what is no answer.
  init(_ response: OAuth.Response, essential: String, names: [String]) throws(OAuth2ResponseError) {
    status = response.status ?? 0
    do throws(Unreadable) {
      members = try ResponseMembers(response)
    } catch {
      throw .unreadable(status: status, error.words)
    }
    if let name = (names + ["error"]).first(where: members.doubled.contains) { throw unreadable("\(name) twice") }
    if let refusal = OAuth2Refusal(members, in: response) { throw .refused(refusal) }
    guard members.text(essential) == nil || members.holdsForeignError else { return }
    // It may be an error in a form of the provider's own.
    throw unreadable(Unreadable(described: response, otherwise: "an answer without \(essential)").words)
  }

  /// A text that is there and not empty.
  func text(_ name: String) -> String? { members.text(name) }

  /// A text that has to be there.
  func required(_ name: String) throws(OAuth2ResponseError) -> String {
    guard let text = members.text(name) else { throw unreadable("an answer without \(name)") }
    return text
  }

  /// A count of seconds; nil when there is none.
  func seconds(_ name: String) -> Int64? { members.seconds(name) }

  /// Everything else that is a single value, as text.
  func scalars(besides names: [String]) -> [String: String] {
    members.values.filter { !names.contains($0.key) }.compactMapValues { value in
      switch value {
      case .text(let text), .number(let text): text
      case .boolean(let value): value ? "true" : "false"
      case .texts, .numbers, .null, .other: nil
      }
    }
  }

  func unreadable(_ words: String) -> OAuth2ResponseError { .unreadable(status: status, words) }
}

/// Why an answer brings no token. Nothing of such an answer may be kept.
public enum OAuth2ResponseError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The server said no, in the standard's form.
  case refused(OAuth2Refusal)
  /// What came is no answer of the standard's: the status, 0 when it is not known, and what it was, such as `a web page`.
  /// It says nothing about the token that was sent.
  case unreadable(status: Int, String)

  /// The HTTP status, 0 when it is not known.
  public var status: Int {
    switch self {
    case .refused(let refusal): refusal.status
    case .unreadable(let status, _): status
    }
  }

  /// What is wrong, as a sentence without any secret.
  public var description: String {
    switch self {
    case .refused(let refusal): "The provider refused: \(refusal.words)."
    case .unreadable(let status, let words):
      "The provider sent \(status == 0 ? "" : "status \(status) and ")\(words) where a token answer was expected"
        + (Unreadable.advice(on: words, status: status).map { ". \($0)" } ?? "; try again later.")
    }
  }
}

/// The server's no to a request for a token, in the standard's form (RFC 6749 §5.2).
///
/// Only this says that a code or a token is dead; an answer in any other form does not (``OAuth2ResponseError``).
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
    hiding: OAuth.Redaction = .nothing
  ) {
    self.status = status
    self.code = ProviderText.cleaned(code.utf8, hiding: hiding)
    let words = ProviderText.cleaned((description ?? "").utf8, hiding: hiding)
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
  init?(_ members: ResponseMembers, in response: OAuth.Response) {
    guard let code = members.text("error") else { return nil }
    let number: Int? =
      switch members["error_code"] {
      case .text(let text)?, .number(let text)?: Int(text)
      default: nil
      }
    var numbers: [Int] = []
    if case .numbers(let texts)? = members["error_codes"] { numbers = texts.compactMap { Int($0) } }
    self.init(
      status: response.status ?? 0, code: code, description: members.text("error_description"), errorCode: number,
      errorCodes: numbers, hiding: response.hiding)
  }
}
