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
