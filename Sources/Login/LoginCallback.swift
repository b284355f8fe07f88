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

  /// Reads the encoded query of a redirect to a login of this version. A parameter that exists only in the other version makes the callback
  /// unusable, because no provider sends parameters from both versions.
  package init(query: String?, version: OAuthVersion) {
    if let name = OAuthVersion.parameters(in: query)[version.other] {
      self = .unusable("It has the \(version.other.name) parameter \(name), but the login uses \(version.name).")
      return
    }
    switch version {
    case .oauth1: self.init(Callback(query: query))
    case .oauth2: self.init(AuthorizationResponse(query: query))
    }
  }

  /// Reads the query of a redirect before it is known which login it belongs to. The parameters determine the OAuth version.
  package init(query: String?) {
    let parameters = OAuthVersion.parameters(in: query)
    switch (parameters[.oauth1], parameters[.oauth2]) {
    case (let one?, let two?):
      self = .unusable("It has parameters for both OAuth 1.0a (\(one)) and OAuth 2.0 (\(two)).")
    case (nil, _?): self.init(AuthorizationResponse(query: query))
    case (_, nil): self.init(Callback(query: query))
    }
  }

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

/// The parameters that tell the two versions' callbacks apart.
extension OAuthVersion {
  var other: OAuthVersion { self == .oauth1 ? .oauth2 : .oauth1 }

  /// The callback parameters that exist only in this version. `error` is not among them, because providers of both versions have sent it.
  private var parameters: [String] {
    switch self {
    case .oauth1: ["oauth_token", "oauth_verifier", "denied", "oauth_problem"]
    case .oauth2: ["code", "state"]
    }
  }

  /// Returns, for each version, a parameter in the query that exists only in that version. The result is empty if the query cannot be read.
  static func parameters(in query: String?) -> [OAuthVersion: String] {
    guard let query, let found = try? FormEncoding.decode(query, limits: Callback.limits) else { return [:] }
    var parameters: [OAuthVersion: String] = [:]
    for version in allCases {
      parameters[version] = version.parameters.first { name in found.contains { $0.isNamed(name) } }
    }
    return parameters
  }
}
