/// Finds a server and its API from what the user typed, by public documents: WebFinger (RFC 7033), host-meta (RFC 6415), NodeInfo 2,
/// Mastodon's instance API, GNU social's configuration, and OAuth metadata (RFC 8414, OpenID Connect Discovery). No request contains a key or
/// a token.
package struct ServerDiscovery {
  private let fetch: DiscoveryFetch

  package init(fetch: @escaping DiscoveryFetch) { self.fetch = fetch }

  /// Returns the server at an address, with the properties that its documents reveal. If no API is found, the result is the server that the
  /// user named.
  /// - Throws: ``DiscoveryError`` if a server cannot be reached.
  package func server(at address: ServerAddress, user: String?) throws(DiscoveryError) -> DiscoveredServer {
    var walk = DiscoveryWalk(from: address, fetch: fetch)
    return try walk.server(of: user)
  }
}
