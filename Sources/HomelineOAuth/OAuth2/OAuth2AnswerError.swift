/// Why an answer brings no token. Nothing of such an answer may be kept.
public enum OAuth2AnswerError: Error, Sendable, Hashable, CustomStringConvertible {
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
