package import HomelineOAuth

/// What a user pastes or types where no redirect could arrive.
package enum LoginPaste: Sendable, Equatable {
  /// The address that the browser was sent to.
  case callback(LoginCallback)
  /// The verifier or the code alone; it belongs to the one login that is pending.
  case proof(Secret)
  case notUnderstood

  package init(oauth1 line: String) {
    switch PastedRedirect(line) {
    case .callback(let callback): self = .callback(LoginCallback(callback))
    case .verifier(let verifier): self = .proof(verifier)
    case .notUnderstood: self = .notUnderstood
    }
  }

  package init(oauth2 line: String) {
    switch PastedAuthorization(line) {
    case .response(let response): self = .callback(LoginCallback(response))
    case .code(let code): self = .proof(code)
    case .notUnderstood: self = .notUnderstood
    }
  }
}
