internal import Bytes
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
  /// Creates the OAuth 2.0 profile of Mastodon-compatible servers. Since version 4.3, Mastodon publishes metadata (RFC 8414) and supports
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
