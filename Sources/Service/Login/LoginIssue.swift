package import HomelineOAuth

/// What a provider, or this program itself, has issued for one login: by what the answer will be known, and where the user is sent.
package struct LoginIssue: Sendable, Equatable {
  /// What the user has to do.
  package enum Invitation: Sendable, Equatable {
    /// Press a button at this address.
    case address(RequestURL)
    /// Type this code in at this address, on any machine; `complete` is an address that has the code in it already.
    case code(String, at: String, complete: String?)
  }

  /// The request token, or the `state` (RFC 6749 §4.1.1); `nil` where no browser comes back here.
  package let key: String?
  package let invitation: Invitation
  /// By whose name an answer must be signed, where it has one (RFC 9207).
  package let issuerRule: IssuerRule
  /// What the user should know of it before going there.
  package let warning: String?

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
