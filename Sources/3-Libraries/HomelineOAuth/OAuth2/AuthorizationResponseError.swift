internal import OAuthValues

/// An error in a redirect's query. The login should continue waiting, because anyone can send such a request.
public enum AuthorizationResponseError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is neither a code nor an error.
  case missingCode
  /// There is a code but no state.
  case missingState
  /// There are both a code and an error, although a server sends only one of them (§4.1.2, §4.1.2.1).
  case codeAndError
  /// A protocol parameter appears more than once (RFC 6749 §3.1).
  case duplicateParameter(String)
  /// A parameter is not valid UTF-8.
  case notText(String)
  /// The query is not valid form data.
  case unreadable(OAuth.FormError)

  /// Describes the error in a sentence, without quoting values from the query.
  public var description: String {
    switch self {
    case .missingCode: "The redirect has no code."
    case .missingState: "The redirect has no state."
    case .codeAndError: "The redirect has both a code and an error."
    case .duplicateParameter(let name): "The redirect contains \(name) more than once."
    case .notText(let name): "The redirect has a \(name) that is not valid UTF-8."
    case .unreadable(let error): "The redirect has a malformed query. \(error)"
    }
  }
}
