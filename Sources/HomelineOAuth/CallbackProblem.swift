/// Why a callback's query is neither a grant nor a refusal. The login goes on waiting.
public enum CallbackProblem: Sendable, Hashable, CustomStringConvertible {
  /// It names no token.
  case missingToken
  /// It names a token and no verifier: a server without the 2009 fix, or a stray.
  case missingVerifier
  /// It grants and refuses at once, or refuses two tokens.
  case contradiction
  /// One of the protocol's parameters comes twice.
  case doubledParameter(String)
  /// The token's bytes are not UTF-8.
  case tokenIsNotText
  /// It cannot be read at all.
  case unreadable(FormError)

  /// What is wrong, as a sentence without any value.
  public var description: String {
    switch self {
    case .missingToken: "The callback has no oauth_token."
    case .missingVerifier: "The callback has no oauth_verifier."
    case .contradiction: "The callback grants access and refuses it at once."
    case .doubledParameter(let name): "The callback has \(name) twice."
    case .tokenIsNotText: "The callback's oauth_token is not UTF-8."
    case .unreadable(let error): "The callback cannot be read. \(error)"
    }
  }
}
