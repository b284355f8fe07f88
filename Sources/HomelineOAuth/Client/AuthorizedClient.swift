/// Sends requests on behalf of a user, through whatever HTTP client you have.
///
/// ```swift
/// let signer = Signer(client: client, token: .token(token))
/// let api = AuthorizedClient(.oauth1(signer)) { request in try await send(request) }
/// let posts = try await api.get("https://api.example/1.1/statuses/home_timeline.json")
/// ```
///
/// A request is authorised for its URL alone: do not let your HTTP client follow redirects with its header, and do not let it send an
/// OAuth 1.0a request again by itself, because servers refuse a nonce that they have seen.
public struct AuthorizedClient<Response: Sendable>: Sendable {
  /// Sends one request, and returns what your HTTP client makes of the response.
  public typealias Send = @Sendable (OutgoingRequest) async throws -> Response

  private let authority: RequestAuthorization
  private let now: @Sendable () -> Int64
  private let transport: Send

  /// Pairs an authorization with an HTTP client.
  /// - Parameters:
  ///   - authorization: a signer, or an access token.
  ///   - now: the time in seconds since 1970, by the server's clock as far as it is known (``OAuth/ClockOffset``). OAuth 1.0a alone uses it.
  ///   - send: your HTTP client.
  public init(
    _ authorization: RequestAuthorization, now: @escaping @Sendable () -> Int64 = { SystemClock.seconds },
    send: @escaping Send
  ) {
    authority = authorization
    self.now = now
    transport = send
  }

  /// Sends a GET.
  ///
  /// - Throws: ``RequestURLError``, ``SigningError``, ``CryptographyError``, and whatever your HTTP client throws.
  public func get(_ url: String) async throws -> Response {
    try await send(SignableRequest(method: "GET", url: RequestURL(url)))
  }

  /// Sends a POST with a form as its body.
  ///
  /// - Throws: ``RequestURLError``, ``SigningError``, ``CryptographyError``, and whatever your HTTP client throws.
  public func post(_ url: String, form: [OAuth.Parameter]) async throws -> Response {
    try await send(SignableRequest(method: "POST", url: RequestURL(url), form: form))
  }

  /// Sends any request.
  ///
  /// - Parameters:
  ///   - request: the method, the URL, and the form if there is one.
  ///   - body: the content where it is not ``SignableRequest/form``: JSON, multipart.
  ///   - contentType: the media type of that content.
  /// - Throws: ``SigningError``, ``CryptographyError``, and whatever your HTTP client throws.
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

/// How the requests of an ``AuthorizedClient`` are authorised.
public enum RequestAuthorization: Sendable, Hashable {
  /// OAuth 1.0a: each request is signed (RFC 5849 §3).
  case oauth1(OAuth.Signer)
  /// OAuth 2.0: each request carries the access token (RFC 6750 §2.1).
  case oauth2(accessToken: OAuth.Secret)

  /// The value of the `Authorization` header.
  fileprivate func header(for request: SignableRequest, now: () -> Int64) throws -> OAuth.Secret {
    switch self {
    case .oauth1(let signer): OAuth.Secret(try signer.sign(request, stamp: .random(timestamp: now())).headerValue)
    case .oauth2(let accessToken): accessToken.withExposedText { OAuth.Secret("Bearer \($0)") }
    }
  }
}

/// A request as it goes over the wire, for any HTTP client.
public struct OutgoingRequest: Sendable, Hashable {
  /// The method, upper-case.
  public let method: String
  /// The URL, byte by byte as it was signed.
  public let url: String
  /// The value of the `Authorization` header, nil for none.
  public let authorization: OAuth.Secret?
  /// The `Content-Type`, nil without a body.
  public let contentType: String?
  /// The body, empty for none.
  public let body: [UInt8]

  /// The header fields to send, with the secrets in them.
  public var headers: [(name: String, value: String)] {
    let fields = [
      authorization.map { ("Authorization", $0.withExposedText { $0 }) }, contentType.map { ("Content-Type", $0) },
    ]
    return fields.compactMap(\.self)
  }
}

extension OutgoingRequest: CustomStringConvertible, CustomReflectable {
  /// The method and the length of the body: the URL, the header and the body may hold secrets.
  public var description: String { "\(method) with \(body.count) bytes" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SignedRequest {
  /// The request for any HTTP client.
  public var outgoing: OutgoingRequest {
    OutgoingRequest(
      method: method, url: url.text, authorization: OAuth.Secret(authorization.headerValue), contentType: contentType,
      body: body)
  }
}

extension OAuth2FormRequest {
  /// The request for any HTTP client.
  public var outgoing: OutgoingRequest {
    OutgoingRequest(
      method: "POST", url: url.text, authorization: authorization, contentType: OAuth.FormEncoding.contentType,
      body: Array(OAuth.FormEncoding.encode(form).utf8))
  }
}
