/// The address that the user opens in a browser to grant access (RFC 6749 §4.1.1, RFC 7636 §4.3).
public struct AuthorizationRequest: Sendable, Hashable {
  private let endpoint: RequestURL
  private let parameters: [Parameter]

  /// Describes the request.
  ///
  /// - Parameters:
  ///   - redirect: the callback address, byte by byte as it is sent with the code later.
  ///   - scopes: what access is asked for; none leaves the choice to the server.
  ///   - scopeSeparator: a space by the standard, a comma at some providers.
  ///   - state: a new one for each attempt (``OAuth2State``).
  ///   - challenge: the ``CodeVerifier/challenge`` of the attempt, nil only for a server known to refuse it.
  ///   - further: what the provider knows besides. A name of those above in it is a programmer's mistake and traps:
  ///     no parameter may come twice (§3.1).
  public init(
    endpoint: RequestURL, clientID: String, redirect: String, scopes: [String], scopeSeparator: String = " ",
    state: String, challenge: String?, further: [Parameter] = []
  ) {
    self.endpoint = endpoint
    var parameters = [
      Parameter("response_type", "code"), Parameter("client_id", clientID), Parameter("redirect_uri", redirect),
    ]
    if !scopes.isEmpty { parameters.append(Parameter("scope", scopes.joined(separator: scopeSeparator))) }
    parameters.append(Parameter("state", state))
    if let challenge {
      parameters.append(Parameter("code_challenge", challenge))
      // Left out it would mean `plain` (RFC 7636 §4.3).
      parameters.append(Parameter("code_challenge_method", "S256"))
    }
    let names = Set(parameters.map(\.name))
    precondition(!further.contains { names.contains($0.name) }, "a parameter of the authorisation request comes twice")
    self.parameters = parameters + further
  }

  /// The address. A query that the endpoint has stays in front (§3.1).
  ///
  /// - Throws: ``RequestURLError/tooLong(bytes:limit:)`` when the parameters make it so.
  public func url() throws(RequestURLError) -> RequestURL {
    try endpoint.adding(parameters)
  }
}
