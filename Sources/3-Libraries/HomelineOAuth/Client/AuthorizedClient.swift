public import Bytes
public import OAuthValues

/// Sends requests on behalf of a user through an HTTP client of your choice.
///
/// ```swift
/// let signer = Signer(client: client, token: .token(token))
/// let api = AuthorizedClient(.oauth1(signer)) { request in try await send(request) }
/// let posts = try await api.get("https://api.example/1.1/statuses/home_timeline.json")
/// ```
///
/// A request's authorisation is valid only for its URL. Your HTTP client must not send the authorisation when following a redirect, and
/// must not repeat an OAuth 1.0a request automatically, because servers refuse a nonce that has been used before.
public struct AuthorizedClient<Response: Sendable>: Sendable {
  /// Sends a request with your HTTP client and returns a response of your choice.
  public typealias Send = @Sendable (OutgoingRequest) async throws -> Response

  private let authority: RequestAuthorization
  private let now: @Sendable () -> Int64
  private let transport: Send

  /// Creates a client.
  /// - Parameters:
  ///   - authorization: a signer or an access token.
  ///   - now: the current time in seconds since 1970 according to the server's clock, as far as it is known (``OAuth/ClockOffset``). Only
  ///     OAuth 1.0a uses the time.
  ///   - send: sends a request with your HTTP client.
  public init(
    _ authorization: RequestAuthorization, now: @escaping @Sendable () -> Int64 = { SystemClock.seconds },
    send: @escaping Send
  ) {
    authority = authorization
    self.now = now
    transport = send
  }

  /// Sends a GET request.
  ///
  /// - Throws: ``RequestURLError``, ``SigningError``, ``CryptographyError``, and the errors thrown by your HTTP client.
  public func get(_ url: String) async throws -> Response {
    try await send(SignableRequest(method: "GET", url: RequestURL(url)))
  }

  /// Sends a POST request with a form as its body.
  ///
  /// - Throws: ``RequestURLError``, ``SigningError``, ``CryptographyError``, and the errors thrown by your HTTP client.
  public func post(_ url: String, form: [OAuth.Parameter]) async throws -> Response {
    try await send(SignableRequest(method: "POST", url: RequestURL(url), form: form))
  }

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - request: the method, the URL and an optional form.
  ///   - contentType: the media type of `body`.
  ///   - body: a body other than ``SignableRequest/form``, such as JSON or multipart data.
  /// - Throws: ``SigningError``, ``CryptographyError``, and the errors thrown by your HTTP client.
  public func send(
    _ request: SignableRequest, contentType: String? = nil, body: [UInt8] = []
  ) async throws -> Response {
    let isForm = !request.form.isEmpty
    return try await transport(
      OutgoingRequest(
        method: request.method, url: request.url.text, authorization: try authority.header(for: request, now: now),
        contentType: isForm ? OAuth.FormEncoding.contentType : contentType,
        body: isForm ? Array(OAuth.FormEncoding.encode(request.form).utf8) : body))
  }
}

/// The credentials of an ``AuthorizedClient``.
public enum RequestAuthorization: Sendable, Hashable {
  /// OAuth 1.0a: the signer signs each request (RFC 5849 §3).
  case oauth1(OAuth.Signer)
  /// OAuth 2.0: each request contains the access token (RFC 6750 §2.1).
  case oauth2(accessToken: OAuth.Secret)

  /// Returns the value of the `Authorization` header.
  fileprivate func header(for request: SignableRequest, now: () -> Int64) throws -> OAuth.Secret {
    switch self {
    case .oauth1(let signer):
      OAuth.Secret(try signer.sign(request, nonceTimestamp: .random(timestamp: now())).headerValue)
    case .oauth2(let accessToken): accessToken.withExposedText { OAuth.Secret("Bearer \($0)") }
    }
  }
}
