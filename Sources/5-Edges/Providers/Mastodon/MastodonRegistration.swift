internal import Bytes
internal import HTTPClient
internal import HomelineOAuth
internal import JSON

/// Registers an application with a server automatically: `POST /api/v1/apps`, once for each server and redirect address.
enum MastodonRegistration {
  /// Returns the request that registers an application.
  /// - Parameters:
  ///   - redirect: one redirect address, because only Mastodon 4.3 and later accept several.
  ///   - scopes: all scopes that logins will request.
  static func request(at server: MastodonServer, redirect: String, scopes: [String]) -> ClientRequest {
    .post(
      server.endpoint("/api/v1/apps"),
      form: [
        Parameter("client_name", "homeline"), Parameter("redirect_uris", redirect),
        // The parameter is `scopes` here, but `scope` in authorisation and token requests.
        Parameter("scopes", scopes.joined(separator: " ")),
      ])
  }

  /// Reads the response. Token requests need the secret, even with PKCE.
  /// - Throws: the server's refusal, or `unreadable`.
  static func result(of response: ProviderResponse) throws(ProviderFailure) -> ClientRegistration {
    var identifier: String?
    var secret: String?
    if response.isSuccess {
      var cursor = JSONCursor(response.body)
      do {
        try cursor.lenientMembers { cursor, name in
          switch name {
          case "client_id": identifier = try cursor.lenientID() ?? identifier
          case "client_secret": secret = try cursor.lenientID() ?? secret
          default: try cursor.skip()
          }
        }
        try cursor.end()
      } catch { identifier = nil }
    }
    guard let identifier, let secret, isVisible(identifier), isVisible(secret) else { throw complaint(response) }
    return ClientRegistration(clientID: identifier, clientSecret: Secret(secret))
  }

  /// Returns whether RFC 6749 allows the text in a client id or secret (A.1, A.2). Control characters are not allowed.
  private static func isVisible(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20...0x7e).contains($0) } }

  private static func complaint(_ response: ProviderResponse) -> ProviderFailure {
    let isPage = response.body.first { !HTMLSpace.contains($0) } == UInt8(ascii: "<")
    switch response.status {
    case 404, 405, 410:
      return .closed(
        "The server has nothing at /api/v1/apps (status \(response.status)): it does not support Mastodon's API. "
          + "Check the account's server.")
    case 422 where !isPage && !response.body.isEmpty:
      let refusal = OAuth.ProviderError(response.oauthWithoutChallenge, expecting: "JSON")
      let message = refusal.map { "“\($0.message)”" } ?? "nothing"
      return .configuration(
        "The server refuses to register the application and says: \(message). Check the redirect URL.")
    case 200..<300 where !isPage: break
    default: if !response.isSuccess, let failure = ProviderFailure(response) { return failure }
    }
    let came = response.body.isEmpty ? "no content" : isPage ? "a web page" : "other content"
    return .unreadable(
      "The server responded with status \(response.status) and \(came) where a registered application was expected. "
        + "Check the account's server.")
  }
}
