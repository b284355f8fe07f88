/// The URL that the user opens in a browser to authorise the application (RFC 6749 §4.1.1, RFC 7636 §4.3).
public struct AuthorizationRequest: Sendable, Hashable {
  private let endpoint: RequestURL
  private let parameters: [OAuth.Parameter]

  /// The names of the parameters that control the login itself (RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 9101 §4, OpenID Connect Core
  /// §3.1.2.1). A user's own parameters must not have these names.
  public static let reservedNames: Set<String> = [
    "client_id", "client_secret", "code_challenge", "code_challenge_method", "nonce", "redirect_uri", "request",
    "request_uri", "response_mode", "response_type", "scope", "state",
  ]

  /// Creates the request.
  ///
  /// - Parameters:
  ///   - endpoint: the server's authorisation endpoint. The endpoint's own query is preserved.
  ///   - clientID: the application's `client_id`.
  ///   - redirect: the callback URL, exactly as it will be sent with the code.
  ///   - scopes: the requested scopes; if empty, the server chooses them.
  ///   - scopeSeparator: the separator between scopes: a space according to the standard, but a comma for some providers.
  ///   - state: the value of `state`, which must be new for each login (``OAuth2State``).
  ///   - challenge: the ``CodeVerifier/challenge`` of the login; nil only for servers that reject it.
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

/// The secret with which a client proves to the token endpoint that the code was issued to it (PKCE, RFC 7636).
///
/// Create a new verifier for each login. Send its ``challenge`` with the authorisation request, and the verifier with the code. Only S256
/// is supported: a client that can use S256 must use it (§4.2), and a fallback to `plain` would allow downgrade attacks.
public struct CodeVerifier: Sendable, Hashable {
  /// The verifier, which consists of 43 to 128 of the characters `A-Z a-z 0-9 - . _ ~` (§4.1).
  public let secret: OAuth.Secret
  /// The S256 challenge: the SHA-256 of the verifier, in base64url without padding, 43 characters long (§4.2).
  public let challenge: String

  /// Creates a verifier of 32 random bytes, written as 43 characters of base64url.
  ///
  /// - Throws: ``CryptographyError`` if the random generator or SHA-256 fails.
  public static func random() throws(CryptographyError) -> CodeVerifier {
    try CodeVerifier(bytes: Array(Base64URL.encode(try RandomBytes.generate(32)).utf8))
  }

  /// Creates a verifier from a stored string.
  ///
  /// - Returns: the verifier; nil if the string is not a valid verifier (§4.1), or if SHA-256 fails.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard (43...128).contains(bytes.count), bytes.allSatisfy(OAuth.PercentEncoding.unreserved.utf8.contains) else {
      return nil
    }
    do throws(CryptographyError) {
      try self.init(bytes: bytes)
    } catch {
      return nil
    }
  }

  private init(bytes: [UInt8]) throws(CryptographyError) {
    secret = OAuth.Secret(bytes: bytes)
    challenge = Base64URL.encode(try SHA256.digest(of: bytes))
  }
}

/// The `state` that ties a redirect to its login, so that other users' codes are rejected (RFC 6749 §10.12).
public enum OAuth2State {
  /// Creates a state of 192 random bits, written as 32 characters from `A-Z a-z 0-9 - _`, which need no encoding.
  ///
  /// - Throws: ``CryptographyError`` if the random generator fails.
  public static func random() throws(CryptographyError) -> String {
    Base64URL.encode(try RandomBytes.generate(24))
  }
}
