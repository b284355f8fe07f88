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

/// The secret of one authorisation, by which the token endpoint knows that whoever brings the code also asked for it
/// (PKCE, RFC 7636).
///
/// Draw a new one for each attempt, send its ``challenge`` with the user, and itself with the code. There is only S256: a
/// client that can do it must (§4.2), and falling back to `plain` would help whoever made S256 fail.
public struct CodeVerifier: Sendable, Hashable {
  /// The verifier, 43 to 128 of `A-Z a-z 0-9 - . _ ~` (§4.1).
  public let secret: Secret
  /// The S256 challenge: the SHA-256 of the verifier in base64url without padding, 43 characters (§4.2).
  public let challenge: String

  /// Draws one of 32 random bytes, written as 43 characters of base64url.
  ///
  /// - Throws: ``CryptographyError`` when the library refuses.
  public static func random() throws(CryptographyError) -> CodeVerifier {
    try CodeVerifier(bytes: Array(Base64URL.encode(try RandomBytes.draw(32)).utf8))
  }

  /// Takes a kept one.
  ///
  /// - Returns: nil when it is not one (§4.1), and when the library refuses SHA-256.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard (43...128).contains(bytes.count), bytes.allSatisfy(PercentEncoding.unreserved.utf8.contains) else {
      return nil
    }
    do throws(CryptographyError) {
      try self.init(bytes: bytes)
    } catch {
      return nil
    }
  }

  private init(bytes: [UInt8]) throws(CryptographyError) {
    secret = Secret(bytes: bytes)
    challenge = Base64URL.encode(try SHA256.digest(of: bytes))
  }
}

/// What ties a redirect to the attempt that it answers, so that nobody else's code is taken for ours (RFC 6749 §10.12).
public enum OAuth2State {
  /// Draws 192 random bits, written as 32 of `A-Z a-z 0-9 - _`: some servers give the state back without encoding it.
  ///
  /// - Throws: ``CryptographyError`` when the library refuses.
  public static func random() throws(CryptographyError) -> String {
    Base64URL.encode(try RandomBytes.draw(24))
  }
}
