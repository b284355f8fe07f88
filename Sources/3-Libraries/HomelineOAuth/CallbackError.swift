internal import OAuthValues

/// An error in a callback's query. The login should continue waiting, because anyone can send such a request.
public enum CallbackError: Sendable, Hashable, CustomStringConvertible {
  /// There is no token.
  case missingToken
  /// There is a token but no verifier. The server may implement OAuth 1.0 without revision A, or the request may be unrelated to a login.
  case missingVerifier
  /// The callback both grants and denies access, or denies two different tokens.
  case contradiction
  /// A protocol parameter appears more than once.
  case duplicateParameter(String)
  /// The token is not valid UTF-8.
  case tokenIsNotText
  /// The query is not valid form data.
  case unreadable(OAuth.FormError)

  /// Describes the error in a sentence, without quoting values from the query.
  public var description: String {
    switch self {
    case .missingToken: "The callback has no oauth_token."
    case .missingVerifier: "The callback has no oauth_verifier."
    case .contradiction: "The callback both grants and denies access."
    case .duplicateParameter(let name): "The callback contains \(name) more than once."
    case .tokenIsNotText: "The callback's oauth_token is not UTF-8."
    case .unreadable(let error): "The callback has a malformed query. \(error)"
    }
  }
}
