/// What an authorisation server says of itself (RFC 8414).
public struct ServerMetadata: Sendable, Hashable {
  /// Its endpoints, and its name as it tells it.
  public let endpoints: OAuth2Endpoints
  /// The PKCE methods that it takes, nil when it does not say: then nothing tells whether it knows PKCE.
  public let codeChallengeMethods: [String]?
  /// The scopes that it knows, nil when it does not say.
  public let scopes: [String]?

  /// Reads the document that was got for an issuer.
  ///
  /// - Parameters:
  ///   - issuer: the name asked for; the one inside has to be the same, byte by byte (§3.3).
  ///   - acceptsTrailingSlash: whether `issuer` and a slash is the same, too: Mastodon's servers, which are asked for by
  ///     host, call themselves `https://HOST/`.
  /// - Throws: ``ServerMetadataError``.
  public init(
    _ answer: Answer, issuer: String, acceptsTrailingSlash: Bool = false
  ) throws(ServerMetadataError) {
    let document = try MetadataDocument(answer)
    let told = try document.text("issuer")
    let accepted = acceptsTrailingSlash ? [issuer, issuer + "/"] : [issuer]
    guard accepted.contains(where: { $0.utf8.elementsEqual(told.utf8) }) else {
      throw .foreignIssuer(expected: issuer, told: PlainWords.cleaned(told.utf8, hiding: answer.hiding))
    }
    let isLocal = (try? RequestURL(issuer))?.isLoopback ?? false
    func endpoint(_ name: String) throws(ServerMetadataError) -> RequestURL? {
      try document.endpoint(name, isLocal: isLocal)
    }
    guard let token = try endpoint("token_endpoint") else { throw .missing("token_endpoint") }
    endpoints = OAuth2Endpoints(
      issuer: told,
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
  }
}
