internal import CivilTime
package import HomelineOAuth
package import HTTP
package import HTTPClient
package import Providers
package import Storage
package import Timeline

/// The proof that a request is authorised by the account's user or by the client.
package enum RequestAuthority {
  /// OAuth 1.0a: each request is signed.
  case signer(Signer)
  /// OAuth 2.0: each request contains the access token (RFC 6750 §2).
  case bearer(Secret, OAuth2Profile.TokenPlacement)
  /// Each request is signed with the client's secret, as the provider requires. The request is made for the token's user or, without a
  /// token, for the client itself.
  case client(OAuth2Client, token: Secret?, any Provider)

  /// The secrets in each request.
  package var secrets: [Secret] {
    switch self {
    case .signer(let signer):
      if case .token(let credentials) = signer.token { [Secret(credentials.identifier)] } else { [] }
    case .bearer(let token, _): [token]
    case .client(_, let token, _): [token].compactMap(\.self)
    }
  }

  /// Returns the HTTP request for a provider's request, with this authority's proof.
  /// - Parameter file: the file of a multipart form.
  package func request(
    _ request: ProviderRequest, with file: RequestFile? = nil, nonceTimestamp: NonceTimestamp
  ) throws -> ClientRequest {
    switch self {
    case .signer(let signer):
      let signable = SignableRequest(method: request.method, url: request.url, form: request.form)
      return ClientRequest(
        request, authorization: try signer.sign(signable, nonceTimestamp: nonceTimestamp).headerValue, with: file)
    case .bearer(let token, .header):
      return ClientRequest(request, authorization: token.withExposedText { "Bearer \($0)" }, with: file)
    case .bearer(let token, .parameter(let name)):
      return ClientRequest(
        request.adding(token.withExposedText { Parameter(name, $0) }), authorization: nil, with: file)
    case .client(let client, let token, let provider):
      let now = Timestamp(seconds: nonceTimestamp.timestamp)
      return ClientRequest(try provider.signed(request, of: client, token: token, at: now), authorization: nil)
    }
  }
}

extension ClientRequest {
  /// Creates the HTTP request for a provider's request.
  /// - Parameters:
  ///   - authorization: the value of its Authorization header; `nil` if it has none.
  ///   - file: the file of a multipart form.
  package init(_ request: ProviderRequest, authorization: String?, with file: RequestFile? = nil) {
    let further = request.headers.map { ($0.name, $0.value) }
    switch request.body {
    case nil:
      self.init(
        method: request.method, url: request.url, authorization: authorization,
        contentType: request.form.isEmpty ? nil : "application/x-www-form-urlencoded",
        body: Array(FormEncoding.encode(request.form).utf8), further: further)
    case .json(let bytes):
      self.init(
        method: request.method, url: request.url, authorization: authorization, contentType: "application/json",
        body: bytes, further: further)
    case .multipart(let fields, _):
      guard let file else { preconditionFailure("a form's file is missing") }
      var generator = SystemRandomNumberGenerator()
      let texts = fields.map { (name: $0.nameText ?? "", value: $0.valueText ?? "") }
      let form = MultipartForm(fields: texts, file: file.content, using: &generator)
      self.init(
        method: request.method, url: request.url, authorization: authorization, contentType: form.contentType,
        body: nil, further: further, rules: ResponseRules(idleTimeout: RequestFile.idleTimeout))
      streamedBody = StreamedBody(form, progress: file.progress)
    }
  }

  /// Creates a signed request for an OAuth 1.0a login.
  package init(_ request: SignedRequest) {
    self.init(
      method: request.method, url: request.url, authorization: request.authorization.headerValue,
      contentType: request.contentType, body: request.body, further: [])
  }

  /// Creates a request to an OAuth 2.0 server (RFC 6749 §3.2).
  package init(_ request: OAuth2FormRequest) {
    self.init(
      method: "POST", url: request.url, authorization: request.authorization?.withExposedText { $0 },
      contentType: "application/x-www-form-urlencoded", body: Array(FormEncoding.encode(request.form).utf8),
      further: [("Accept", "application/json")])
  }

  private init(
    method: String, url: RequestURL, authorization: String?, contentType: String?, body: [UInt8]?,
    further: [(name: String, value: String)], rules: ResponseRules = ResponseRules()
  ) {
    var headers = HeaderFields()
    let fields = [("Authorization", authorization), ("Content-Type", contentType)] + further.map { ($0, $1) }
    for (name, value) in fields {
      guard let name = FieldName(name), let value = value.flatMap({ FieldValue($0) }) else { continue }
      headers.append(name, value)
    }
    self.init(method: RequestMethod(method) ?? .get, url: url.text, headers: headers, body: body, rules: rules)
  }
}

/// The file of a multipart form, which is read while the request is sent.
package struct RequestFile: Sendable {
  let content: MultipartForm.File
  /// Receives the number of body bytes that have been sent; see ``StreamedBody``.
  let progress: @Sendable (Int) -> Void

  /// The longest time without progress during an upload. An upload's total time depends on the file.
  static let idleTimeout = Duration.seconds(60)

  package init(content: MultipartForm.File, progress: @escaping @Sendable (Int) -> Void = { _ in }) {
    self.content = content
    self.progress = progress
  }
}

/// The reason no valid token is available for a request.
package enum TokenUnavailableError: Error {
  /// The token cannot be used, now or ever. The problem is published for the timeline's readers.
  case problem(Problem)
  /// A local failure, such as a file that cannot be written.
  case failure(OperationError)

  /// Whether the provider's refusal is final.
  var isFinal: Bool { if case .problem(let problem) = self { problem.code == .notAuthorised } else { false } }

  package var message: String {
    switch self {
    case .problem(let problem): problem.message
    case .failure(let failure): failure.message
    }
  }
}

/// The authority and its token, or the reason no token is available.
package typealias AuthorityResult = Result<(RequestAuthority, StoredToken), TokenUnavailableError>
