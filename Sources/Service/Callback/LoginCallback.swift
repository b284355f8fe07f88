package import HomelineOAuth

/// What a browser, or the user's clipboard, brings back from a provider, in whichever protocol's words.
package enum LoginCallback: Sendable, Equatable {
  /// `key` is the request token or the `state`; `proof` the verifier or the code. `issuer`: RFC 9207.
  case granted(key: String, proof: Secret, issuer: String?)
  case refused(key: String, reason: String, issuer: String?)
  /// A refusal that names no login: any page on the web could have sent it.
  case refusedUnnamed(reason: String)
  /// Neither; why, as a sentence.
  case unusable(String)

  /// Reads a redirect's query as it came over the wire: by the words of OAuth 1.0a where there are any, else by those of OAuth 2.0.
  package init(query: String?) {
    let callback = Callback(query: query)
    switch callback {
    case .granted, .refused, .unusable(.missingVerifier): self.init(callback)
    case .refusedWithoutToken, .unusable:
      let response = AuthorizationResponse(query: query)
      // What both know, such as `error` alone, means the same. What neither can use is told in the words of the one that it
      // looks like.
      switch (callback, response) {
      case (.refusedWithoutToken, .unusable), (_, .unusable(.missingCode)): self.init(callback)
      default: self.init(response)
      }
    }
  }

  package init(_ callback: Callback) {
    switch callback {
    case .granted(let token, let verifier): self = .granted(key: token, proof: verifier, issuer: nil)
    case .refused(let token, let reason): self = .refused(key: token, reason: reason, issuer: nil)
    case .refusedWithoutToken(let reason): self = .refusedUnnamed(reason: reason)
    case .unusable(let problem): self = .unusable(problem.description)
    }
  }

  package init(_ response: AuthorizationResponse) {
    switch response {
    case .granted(let state, let code, let issuer): self = .granted(key: state, proof: code, issuer: issuer)
    case .refused(let state, let refusal, let issuer):
      self = .refused(key: state, reason: refusal.words, issuer: issuer)
    case .refusedWithoutState(let refusal, _): self = .refusedUnnamed(reason: refusal.words)
    case .unusable(let problem): self = .unusable(problem.description)
    }
  }

  /// The login that it names, if it names one.
  package var key: String? {
    switch self {
    case .granted(let key, _, _), .refused(let key, _, _): key
    case .refusedUnnamed, .unusable: nil
    }
  }
}
