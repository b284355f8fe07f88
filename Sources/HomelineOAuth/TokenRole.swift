/// Which token a request is made with; it decides `oauth_token` and the second half of the key (RFC 5849 §3.1, §3.4.2).
public enum TokenRole: Sendable, Hashable {
  /// None: `oauth_token` is left out. So are temporary credentials asked for.
  case none
  /// None, and `oauth_token` is sent empty. It is allowed and gives another signature; some old servers want it.
  case empty
  /// A request token, only to be exchanged.
  case temporary(TemporaryCredentials)
  /// An access token.
  case token(TokenCredentials)

  /// What is sent as `oauth_token`, nil when it is left out.
  var identifier: String? {
    switch self {
    case .none: nil
    case .empty: ""
    case .temporary(let credentials): credentials.identifier
    case .token(let credentials): credentials.identifier
    }
  }

  var secret: Secret? {
    switch self {
    case .none, .empty: nil
    case .temporary(let credentials): credentials.secret
    case .token(let credentials): credentials.secret
    }
  }
}
