extension ServerMetadata {
  /// Where a server's metadata may lie, in the order to ask: between host and path as RFC 8414 §3.1 has it, and behind the
  /// path as OpenID Connect Discovery §4 has it. A slash at the end of the issuer counts for nothing.
  public static func addresses(of issuer: RequestURL) -> [RequestURL] {
    let path = issuer.path.hasSuffix("/") ? String(issuer.path.dropLast()) : issuer.path
    return ["/.well-known/oauth-authorization-server" + path, path + "/.well-known/openid-configuration"].compactMap {
      try? RequestURL(issuer.origin + $0)
    }
  }
}
