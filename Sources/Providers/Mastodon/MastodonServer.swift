internal import HomelineOAuth

/// A server's origin. A path is not supported: the API is always below the root.
struct MastodonServer: Sendable, Hashable {
  private let root: RequestURL

  /// Creates the server; `nil` for an unencrypted connection to another machine, which would reveal the token to everyone on the network
  /// path.
  init?(_ url: RequestURL) throws(RequestURLError) {
    guard url.isHTTPS || url.isLoopback else { return nil }
    root = try RequestURL(url.origin + "/")
  }

  /// Host and port, as in a `Host` header.
  var authority: String { root.authority }

  /// The origin in lower case, without a default port. Together with a user's id, it identifies an account.
  var origin: String { root.origin }

  /// Returns the URL of a path on the server.
  /// - Parameter path: visible ASCII with a leading slash.
  func endpoint(_ path: String) -> RequestURL {
    do throws(RequestURLError) { return try RequestURL(origin + path) } catch {
      preconditionFailure("an API path is not valid: \(error)")
    }
  }
}

extension OAuth2Profile {
  /// Creates the OAuth 2.0 profile of servers with Mastodon's API. Since version 4.3, Mastodon publishes metadata (RFC 8414) and supports
  /// PKCE; other servers ignore unknown parameters.
  init(mastodon server: MastodonServer, issuer: String?, scopes: [String]) {
    self.init(
      endpoints: OAuth2Endpoints(
        authorize: server.endpoint("/oauth/authorize"), token: server.endpoint("/oauth/token"),
        revocation: server.endpoint("/oauth/revoke")),
      metadata: Metadata(issuer: issuer ?? server.origin, acceptsTrailingSlash: true), scopes: scopes,
      // Mastodon's OAuth library, Doorkeeper, ignores the port of a numeric loopback address. All servers read the secret from the form.
      callbackName: Self.segment(of: server), clientAuthentication: .body,
      offersOutOfBand: true)
  }

  /// Returns the server's host and port; characters that would need escaping in a path are replaced.
  private static func segment(of server: MastodonServer) -> String {
    String(decoding: server.authority.utf8.map { isPlain($0) ? $0 : UInt8(ascii: "-") }, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."): true
    default: false
    }
  }
}

/// Refusals that are specific to servers with Mastodon's API.
struct MastodonRefusal {
  let response: ProviderResponse
  /// The server's origin.
  let server: String

  /// The failure; `nil` if the response is not a refusal.
  var failure: ProviderFailure? {
    let refusal = OAuth.ProviderError(OAuthResponse(response, readsChallenges: false), expecting: "JSON")
    let message = refusal.flatMap { $0.content == .message ? $0.message : nil } ?? ""
    switch response.status {
    // The plugin for WordPress says this about a missing scope, so it is not about the token as a whole.
    case 401 where contains(message, "insufficient"), 403 where contains(message, "outside the authorized scopes"):
      return .configuration(
        said(
          message,
          "The token does not allow this: check the account's scopes and log in again. To post, log in with --allow posting."
        ))
    case 401: return .needsLogin(said(message, "The token is no longer valid; log in again."))
    case 403 where contains(message, "login is currently disabled"):
      return .locked(said(message, "Only the server's administrators can change that."))
    case 403 where contains(message, "confirmed e-mail"):
      return .configuration(said(message, "Confirm the e-mail address on \(server)."))
    case 422 where contains(message, "requires an authenticated user"):
      return .needsLogin(said(message, "The token does not belong to a user; log in again."))
    case 404, 410:
      return .closed("\(name) answered \(response.status) where the API should be. \(said(message, ""))")
    default: return ProviderFailure(response)
    }
  }

  private var name: String { (try? RequestURL(server).authority) ?? server }

  private func said(_ message: String, _ advice: String) -> String {
    message.isEmpty
      ? "The server responded with status \(response.status). \(advice)" : "The server says: “\(message)”. \(advice)"
  }

  private func contains(_ message: String, _ phrase: String) -> Bool { message.lowercased().contains(phrase) }
}
