internal import HomelineOAuth

/// Which version of OAuth a login uses, and so which parameters its callback has.
package enum OAuthVersion: Sendable, CaseIterable {
  /// RFC 5849
  case oauth1
  /// RFC 6749
  case oauth2

  var name: String {
    switch self {
    case .oauth1: "OAuth 1.0a"
    case .oauth2: "OAuth 2.0"
    }
  }

  var other: OAuthVersion { self == .oauth1 ? .oauth2 : .oauth1 }

  /// The parameters of a callback that only this version has. Both have had `error` in the wild.
  private var ownParameters: [String] {
    switch self {
    case .oauth1: ["oauth_token", "oauth_verifier", "denied", "oauth_problem"]
    case .oauth2: ["code", "state"]
    }
  }

  /// The first parameter in a query that only this version has; nil where there is none, or where the query cannot be read.
  func ownParameter(in query: String?) -> String? {
    guard let query, let parameters = try? FormEncoding.decode(query, limits: LoginCallback.limits) else { return nil }
    return ownParameters.first { name in parameters.contains { $0.isNamed(name) } }
  }
}
