public import Bytes
public import OAuthValues

/// The URL that the user opens in a browser to authorise the application (RFC 6749 §4.1.1, RFC 7636 §4.3).
public struct AuthorizationRequest: Sendable, Hashable {
  private let endpoint: RequestURL
  private let parameters: [OAuth.Parameter]

  /// The names of the parameters that control the login itself (RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 9101 §4, OpenID Connect Core
  /// §3.1.2.1). A user's own parameters must not have these names.
  public static let reservedNames = ReservedParameters.ofAuthorization

  /// Creates the request.
  ///
  /// - Parameters:
  ///   - endpoint: the server's authorisation endpoint. The endpoint's own query is preserved.
  ///   - clientID: the application's `client_id`.
  ///   - redirect: the callback URL, exactly as it will be sent with the code.
  ///   - scopes: the requested scopes; if empty, the server chooses them.
  ///   - scopeSeparator: the separator between scopes: a space according to the standard, but a comma for some providers.
  ///   - state: the value of `state`, which must be new for each login (``OAuth2State``).
  ///   - challenge: the ``CodeVerifier/challenge`` of the login; nil only for servers that refuse it.
  ///   - additional: the provider's own parameters. They must not repeat any of the parameters above (§3.1).
  public init(
    endpoint: RequestURL, clientID: String, redirect: String, scopes: [String], scopeSeparator: String = " ",
    state: String, challenge: String?, additional: [OAuth.Parameter] = []
  ) {
    self.endpoint = endpoint
    var parameters = [
      OAuth.Parameter("response_type", "code"), OAuth.Parameter("client_id", clientID),
      OAuth.Parameter("redirect_uri", redirect),
    ]
    if !scopes.isEmpty { parameters.append(OAuth.Parameter("scope", scopes.joined(separator: scopeSeparator))) }
    parameters.append(OAuth.Parameter("state", state))
    if let challenge {
      parameters.append(OAuth.Parameter("code_challenge", challenge))
      // Without this parameter, the method would be `plain` (RFC 7636 §4.3).
      parameters.append(OAuth.Parameter("code_challenge_method", "S256"))
    }
    self.parameters = parameters + additional
  }

  /// Returns the URL, whose query begins with the endpoint's own query (§3.1).
  ///
  /// - Throws: ``RequestURLError/duplicateParameter(_:)``, or ``RequestURLError/tooLong(bytes:limit:)`` if the parameters make the
  ///   URL too long.
  public func url() throws(RequestURLError) -> RequestURL {
    var names: Set<[UInt8]> = []
    for parameter in parameters where !names.insert(parameter.name).inserted {
      throw .duplicateParameter(String(decoding: parameter.name, as: UTF8.self))
    }
    return try endpoint.adding(parameters)
  }
}
