/// The address that the user opens in a browser to grant access (RFC 6749 §4.1.1, RFC 7636 §4.3).
public struct AuthorizationRequest: Sendable, Hashable {
  private let endpoint: RequestURL
  private let parameters: [OAuth.Parameter]

  /// Describes the request.
  ///
  /// - Parameters:
  ///   - endpoint: the server's authorisation endpoint; its own query stays in front.
  ///   - clientID: the application's `client_id`.
  ///   - redirect: the callback address, byte by byte as it is sent with the code later.
  ///   - scopes: what access is asked for; none leaves the choice to the server.
  ///   - scopeSeparator: a space by the standard, a comma at some providers.
  ///   - state: a new one for each attempt (``OAuth2State``).
  ///   - challenge: the ``CodeVerifier/challenge`` of the attempt, nil only for a server known to refuse it.
  ///   - further: parameters of the provider's own. A name of those above must not be among them: no parameter may come
  ///     twice (§3.1).
  public init(
    endpoint: RequestURL, clientID: String, redirect: String, scopes: [String], scopeSeparator: String = " ",
    state: String, challenge: String?, further: [OAuth.Parameter] = []
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
      // Left out it would mean `plain` (RFC 7636 §4.3).
      parameters.append(OAuth.Parameter("code_challenge_method", "S256"))
    }
    self.parameters = parameters + further
  }

  /// The address. A query that the endpoint has stays in front (§3.1).
  ///
  /// - Throws: ``RequestURLError/repeatedParameter(_:)``, or ``RequestURLError/tooLong(bytes:limit:)`` when the parameters
  ///   make it so.
  public func url() throws(RequestURLError) -> RequestURL {
    var names: Set<[UInt8]> = []
    for parameter in parameters where !names.insert(parameter.name).inserted {
      throw .repeatedParameter(String(decoding: parameter.name, as: UTF8.self))
    }
    return try endpoint.adding(parameters)
  }
}

/// The secret of one authorisation, by which the token endpoint knows that whoever brings the code also asked for it
/// (PKCE, RFC 7636).
///
/// Draw a new one for each attempt, send its ``challenge`` with the user, and itself with the code. There is only S256: a
/// client that can do it must (§4.2), and falling back to `plain` would help whoever made S256 fail.
public struct CodeVerifier: Sendable, Hashable {
  /// The verifier, 43 to 128 of `A-Z a-z 0-9 - . _ ~` (§4.1).
  public let secret: OAuth.Secret
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

/// What ties a redirect to the attempt that it answers, so that nobody else's code is taken for ours (RFC 6749 §10.12).
public enum OAuth2State {
  /// Draws 192 random bits, written as 32 of `A-Z a-z 0-9 - _`: some servers give the state back without encoding it.
  ///
  /// - Throws: ``CryptographyError`` when the library refuses.
  public static func random() throws(CryptographyError) -> String {
    Base64URL.encode(try RandomBytes.draw(24))
  }
}
