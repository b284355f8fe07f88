package import Bytes
package import HomelineOAuth

/// One login's authorisation request: the key that its callback must contain, and the address or code for the user.
package struct LoginIssue: Sendable, Equatable {
  /// The user's part in the authorisation.
  package enum Invitation: Sendable, Equatable {
    /// Open this address and approve the request.
    case address(RequestURL)
    /// Enter this code at this address, on any device; `complete` is an address that already contains the code.
    case code(String, at: String, complete: String?)
    /// Type a user name and a password in the terminal.
    case password
    /// Type a token in the terminal: one line, or two with OAuth 1.0a: the token and its secret.
    case token(lines: Int)
  }

  /// The request token, or the `state` (RFC 6749 §4.1.1); `nil` in a login without a redirect.
  package let key: String?
  package let invitation: Invitation
  /// The rule for the issuer that a callback must contain (RFC 9207).
  let issuerRule: IssuerRule
  /// A warning to show to the user before the authorisation.
  let warning: String?

  /// Whether the user types everything that the login needs.
  var isTyped: Bool {
    switch invitation {
    case .password, .token: true
    case .address, .code: false
    }
  }

  package init(
    key: String?, invitation: Invitation, issuerRule: IssuerRule = IssuerRule(expected: nil, isPromised: false),
    warning: String? = nil
  ) {
    self.key = key
    self.invitation = invitation
    self.issuerRule = issuerRule
    self.warning = warning
  }
}
