package import HTTP
internal import JSON

/// What the server says of itself (RFC 8414).
extension OAuth2Server {
  /// - Parameter base: scheme, host and port, without a slash at the end.
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
