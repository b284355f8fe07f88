internal import HomelineOAuth

extension OAuth2Profile {
  /// OAuth 2.0 as all servers of Mastodon's API have it. Mastodon itself describes it since 4.3 (RFC 8414), and then knows PKCE; others
  /// ignore what they do not know.
  init(mastodon server: MastodonServer, issuer: String?, scopes: [String]) {
    self.init(
      endpoints: OAuth2Endpoints(
        authorize: server.endpoint("/oauth/authorize"), token: server.endpoint("/oauth/token"),
        revocation: server.endpoint("/oauth/revoke")),
      metadata: Metadata(issuer: issuer ?? server.origin, acceptsTrailingSlash: true), scopes: scopes,
      // Doorkeeper leaves the port of a loopback address in digits aside. The secret stands in the form, which all of them read.
      redirects: .anyLoopbackPort, callbackName: Self.segment(of: server), clientAuthentication: .body,
      offersOutOfBand: true)
  }

  /// The server's host and port in the letters that need no escape in a path.
  private static func segment(of server: MastodonServer) -> String {
    String(decoding: server.url.authority.utf8.map { isPlain($0) ? $0 : UInt8(ascii: "-") }, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."): true
    default: false
    }
  }
}
