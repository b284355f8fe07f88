internal import HomelineOAuth

/// The query of a redirect, decoded once. It can be read as a callback of either OAuth version.
package struct CallbackQuery: Sendable {
  private let decoded: Result<[Parameter], FormError>

  /// - Parameter query: the query as received; nil means no query.
  package init(_ query: String?) {
    decoded = Result { () throws(FormError) in try FormEncoding.decode(query ?? "", limits: Callback.limits) }
  }

  /// Returns a parameter of the query that exists only in this version; nil if there is none, or if the query cannot be decoded.
  func mark(of version: OAuthVersion) -> String? {
    guard case .success(let parameters) = decoded else { return nil }
    return version.marks.first { name in parameters.contains { $0.isNamed(name) } }
  }

  /// Reads the callback of a login of this version. A parameter that exists only in the other version makes the callback unusable, because
  /// no provider sends parameters from both versions.
  func callback(of version: OAuthVersion) -> LoginCallback {
    if let name = mark(of: version.other) {
      return .unusable("It has the \(version.other.name) parameter \(name), but the login uses \(version.name).")
    }
    return switch version {
    case .oauth1: LoginCallback(Callback(decoded))
    case .oauth2: LoginCallback(AuthorizationResponse(decoded))
    }
  }

  /// Reads the callback before it is known which login it belongs to. The parameters determine the OAuth version.
  package var callback: LoginCallback {
    guard let two = mark(of: .oauth2) else { return callback(of: .oauth1) }
    guard let one = mark(of: .oauth1) else { return callback(of: .oauth2) }
    return .unusable("It has parameters for both OAuth 1.0a (\(one)) and OAuth 2.0 (\(two)).")
  }
}
