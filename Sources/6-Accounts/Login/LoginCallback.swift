package import Bytes
package import HomelineOAuth

/// A provider's callback in either OAuth version, from a redirect or from the user's clipboard.
package enum LoginCallback: Sendable, Equatable {
  /// `key` is the request token or the `state`; `proof` is the verifier or the code; `issuer` is the issuer defined in RFC 9207.
  case granted(key: String, proof: Secret, issuer: String?)
  case refused(key: String, reason: String, issuer: String?)
  /// A refusal that is not tied to a login. Any web page may have caused it.
  case refusedUnnamed(reason: String)
  /// The callback is neither a grant nor a refusal. The value is a sentence that gives the reason.
  case unusable(String)

  package init(_ callback: Callback) {
    switch callback {
    case .granted(let token, let verifier): self = .granted(key: token, proof: verifier, issuer: nil)
    case .refused(let token, let reason): self = .refused(key: token, reason: reason, issuer: nil)
    case .refusedWithoutToken(let reason): self = .refusedUnnamed(reason: reason)
    case .invalid(let error): self = .unusable(error.description)
    }
  }

  package init(_ response: AuthorizationResponse) {
    switch response {
    case .granted(let state, let code, let issuer): self = .granted(key: state, proof: code, issuer: issuer)
    case .refused(let state, let refusal, let issuer):
      self = .refused(key: state, reason: refusal.message, issuer: issuer)
    case .refusedWithoutState(let refusal, _): self = .refusedUnnamed(reason: refusal.message)
    case .invalid(let error): self = .unusable(error.description)
    }
  }

  /// The request token or `state` of the login that the callback identifies, if any.
  package var key: String? {
    switch self {
    case .granted(let key, _, _), .refused(let key, _, _): key
    case .refusedUnnamed, .unusable: nil
    }
  }
}

extension OAuthVersion {
  var other: OAuthVersion { self == .oauth1 ? .oauth2 : .oauth1 }

  /// The callback parameters that exist only in this version. `error` is not among them, because providers of both versions have sent it.
  var marks: [String] {
    switch self {
    case .oauth1: ["oauth_token", "oauth_verifier", "denied", "oauth_problem"]
    case .oauth2: ["code", "state"]
    }
  }
}
