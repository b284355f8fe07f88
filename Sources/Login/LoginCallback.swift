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

  /// Reads the query of a redirect to a login of this version, as it came over the wire. A parameter that only the other version has makes it
  /// unusable: no provider sends both.
  package init(query: String?, version: OAuthVersion) {
    if let name = OAuthVersion.parameters(in: query)[version.other] {
      self = .unusable("It has the parameter \(name) of \(version.other.name), and the login uses \(version.name).")
      return
    }
    switch version {
    case .oauth1: self.init(Callback(query: query))
    case .oauth2: self.init(AuthorizationResponse(query: query))
    }
  }

  /// Reads a redirect's query when it is not known for which login it is: by the parameters that it has.
  package init(query: String?) {
    let parameters = OAuthVersion.parameters(in: query)
    switch (parameters[.oauth1], parameters[.oauth2]) {
    case (let one?, let two?): self = .unusable("It has parameters of OAuth 1.0a (\(one)) and of OAuth 2.0 (\(two)).")
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

  /// The login that it names, if it names one.
  package var key: String? {
    switch self {
    case .granted(let key, _, _), .refused(let key, _, _): key
    case .refusedUnnamed, .unusable: nil
    }
  }
}

/// The parameters by which the callbacks of both versions are distinguished.
extension OAuthVersion {
  var other: OAuthVersion { self == .oauth1 ? .oauth2 : .oauth1 }

  /// The parameters of a callback that only this version has. Both have had `error` in the wild.
  private var parameters: [String] {
    switch self {
    case .oauth1: ["oauth_token", "oauth_verifier", "denied", "oauth_problem"]
    case .oauth2: ["code", "state"]
    }
  }

  /// By version, a parameter of the query that only that version has; none where the query cannot be read.
  static func parameters(in query: String?) -> [OAuthVersion: String] {
    guard let query, let found = try? FormEncoding.decode(query, limits: Callback.limits) else { return [:] }
    var parameters: [OAuthVersion: String] = [:]
    for version in allCases {
      parameters[version] = version.parameters.first { name in found.contains { $0.isNamed(name) } }
    }
    return parameters
  }
}
