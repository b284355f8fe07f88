package import HTTP
internal import JSON
internal import Time

/// An authorisation server (RFC 6749). It is a value that converts requests to responses without I/O. It shares no code with homeline's
/// client, so that testing one against the other reveals the errors of both.
///
/// Codes and tokens are random, and stay valid as long as the value exists.
package struct OAuth2Server: Sendable {
  package static let deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code"

  /// The maximum number of clients. There is a limit because anyone may register clients on some servers.
  private static let clientLimit = 1_000

  package var policy: OAuth2Policy
  package let paths: OAuth2Paths
  /// The user who authorises clients.
  package let user: ResourceOwner
  package private(set) var clients: [String: SandboxClient] = [:]
  var codes = AuthorizationCodes()
  var tokens = TokenTable()
  var devices = DeviceCodes()

  package init(policy: OAuth2Policy = OAuth2Policy(), paths: OAuth2Paths = OAuth2Paths(), user: ResourceOwner = .mira) {
    self.policy = policy
    self.paths = paths
    self.user = user
  }

  /// Registers a client, replacing any client with the same identifier.
  /// - Returns: `false` if there are too many clients.
  @discardableResult
  package mutating func register(_ client: SandboxClient) -> Bool {
    guard clients.count < Self.clientLimit || clients[client.identifier] != nil else { return false }
    clients[client.identifier] = client
    return true
  }

  /// Removes a client, as some servers do with unused clients.
  package mutating func forget(client identifier: String) { clients[identifier] = nil }

  /// Authenticates the client that sends a request.
  func client(_ claim: ClientClaim) throws(OAuth2Error) -> SandboxClient {
    guard let client = clients[claim.identifier] else { throw .unknownClient }
    try claim.authenticate(as: client)
    guard policy.clientAuthentications.contains(claim.method) else { throw .unsupportedAuthentication }
    return client
  }
}

/// Server metadata (RFC 8414).
extension OAuth2Server {
  /// Returns the response with the server's metadata.
  /// - Parameter base: scheme, host and port, without a trailing slash.
  package func metadata(base: String) -> Response {
    var grants = ["authorization_code"]
    if policy.refreshTokens != .never { grants.append("refresh_token") }
    if paths.deviceAuthorization != nil { grants.append(Self.deviceGrantType) }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("issuer", base + policy.issuerPath)
      writer.member("authorization_endpoint", base + paths.authorization)
      writer.member("token_endpoint", base + paths.token)
      if let path = paths.revocation { writer.member("revocation_endpoint", base + path) }
      if let path = paths.deviceAuthorization { writer.member("device_authorization_endpoint", base + path) }
      writer.member("scopes_supported", list: Set(clients.values.flatMap(\.scopes)).sorted()) { $0.string($1) }
      writer.member("response_types_supported", list: ["code"]) { $0.string($1) }
      writer.member("grant_types_supported", list: grants) { $0.string($1) }
      writer.member(
        "token_endpoint_auth_methods_supported", list: policy.clientAuthentications.map(\.rawValue).sorted()
      ) { $0.string($1) }
      if policy.proofKey != .ignored {
        writer.member(
          "code_challenge_methods_supported", list: policy.allowsPlainChallenge ? ["S256", "plain"] : ["S256"]
        ) { $0.string($1) }
      }
      if policy.sendsIssuer { writer.member("authorization_response_iss_parameter_supported", true) }
    }
    return Response(json: writer.bytes)
  }
}
