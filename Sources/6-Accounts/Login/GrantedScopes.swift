/// The scopes of a token response (RFC 6749 §5.1).
struct GrantedScopes {
  private let scopes: Set<String>

  /// Scopes that servers rarely repeat, because other members of the response show whether they are granted (OpenID Connect Core §5.4, §11).
  private static let unlisted: Set<String> = ["openid", "profile", "email", "address", "phone", "offline_access"]

  /// - Parameter text: the scopes, separated by spaces, or by commas as some servers do.
  init(_ text: String) {
    scopes = Set(text.split(whereSeparator: { $0 == " " || $0 == "," }).map { String($0) })
  }

  /// Returns the requested scopes that are not granted. Their order does not matter. As on Mastodon servers, `read` includes
  /// `read:statuses`.
  func missing(from requested: [String]) -> [String] {
    requested.filter { scope in
      !Self.unlisted.contains(scope) && !scopes.contains(scope)
        && !(scope.firstIndex(of: ":").map { scopes.contains(String(scope[..<$0])) } ?? false)
    }
  }
}
