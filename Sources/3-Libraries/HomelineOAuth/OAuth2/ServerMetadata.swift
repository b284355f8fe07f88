public import Bytes
public import OAuthValues

/// The metadata of an authorisation server (RFC 8414).
public struct ServerMetadata: Sendable, Hashable {
  /// The endpoints and the issuer identifier.
  public let endpoints: OAuth2Endpoints
  /// The supported PKCE methods; nil if the server does not list them.
  public let codeChallengeMethods: [String]?
  /// The supported scopes; nil if the server does not list them.
  public let scopes: [String]?
  /// Whether the server is an OpenID provider (OpenID Connect Discovery §3).
  public let supportsOpenID: Bool

  /// Parses the metadata document of an issuer.
  ///
  /// - Parameters:
  ///   - response: the response with the document.
  ///   - issuer: the expected issuer. The document must contain it, byte by byte (§3.3). If it is a multi-tenant Microsoft issuer, with a
  ///     path segment `common`, `organizations` or `consumers`, the document may have `{tenantid}` in place of that segment.
  ///   - acceptsTrailingSlash: whether to also accept `issuer` with a trailing slash. The issuer of a Mastodon server is `https://HOST/`,
  ///     although users name only the host.
  /// - Throws: ``ServerMetadataError``.
  public init(
    _ response: OAuth.Response, issuer: String, acceptsTrailingSlash: Bool = false
  ) throws(ServerMetadataError) {
    let document = try MetadataDocument(response)
    let received = try document.text("issuer")
    let accepted = acceptsTrailingSlash ? [issuer, issuer + "/"] : [issuer]
    guard
      accepted.contains(where: { $0.utf8.elementsEqual(received.utf8) })
        || IssuerTemplate.matches(received, configured: issuer)
    else {
      throw .issuerMismatch(expected: issuer, received: ProviderText.cleaned(received.utf8, hiding: response.hiding))
    }
    let isLocal = (try? RequestURL(issuer))?.isLoopback ?? false
    func endpoint(_ name: String) throws(ServerMetadataError) -> RequestURL? {
      try document.endpoint(name, isLocal: isLocal)
    }
    guard let token = try endpoint("token_endpoint") else { throw .missing("token_endpoint") }
    endpoints = OAuth2Endpoints(
      issuer: received,
      promisesIssuer: document.flag("authorization_response_iss_parameter_supported"),
      authorize: try endpoint("authorization_endpoint"), token: token,
      revocation: try endpoint("revocation_endpoint"),
      deviceAuthorization: try endpoint("device_authorization_endpoint"),
      userInfo: try endpoint("userinfo_endpoint"),
      clientAuthentications: document.texts("token_endpoint_auth_methods_supported")?.compactMap {
        ClientAuthentication(metadataName: $0)
      },
      requiresPushedRequests: document.flag("require_pushed_authorization_requests"))
    codeChallengeMethods = document.texts("code_challenge_methods_supported")
    scopes = document.texts("scopes_supported")
    // A provider must list its signature algorithms, but need not list its scopes.
    supportsOpenID = scopes?.contains("openid") ?? (document.texts("id_token_signing_alg_values_supported") != nil)
  }
}

extension ServerMetadata {
  /// Returns the URLs where a server's metadata may be found, in order. The well-known path is inserted before the issuer's path (RFC
  /// 8414 §3.1), or appended to it (OpenID Connect Discovery §4). A trailing slash in the issuer is ignored.
  public static func addresses(of issuer: RequestURL) -> [RequestURL] {
    let path = issuer.path.hasSuffix("/") ? String(issuer.path.dropLast()) : issuer.path
    return ["/.well-known/oauth-authorization-server" + path, path + "/.well-known/openid-configuration"].compactMap {
      try? RequestURL(issuer.origin + $0)
    }
  }
}
