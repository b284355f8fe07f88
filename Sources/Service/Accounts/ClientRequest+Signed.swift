internal import HomelineOAuth
internal import HTTP
internal import Providers
internal import Transport

extension ClientRequest {
  /// A provider's request with the Authorization header made for it.
  init(_ request: ProviderRequest, signedBy signer: Signer, stamp: Stamp) throws(SigningError) {
    let signable = SignableRequest(method: request.method, url: request.url, form: request.form)
    let authorization = try signer.sign(signable, stamp: stamp)
    self.init(
      method: request.method, url: request.url, authorization: authorization,
      contentType: request.form.isEmpty ? nil : "application/x-www-form-urlencoded",
      body: Array(FormEncoding.encode(request.form).utf8),
      further: request.headers.map { ($0.name, $0.value) })
  }

  /// One of the signed legs of a login.
  init(_ request: SignedRequest) {
    self.init(
      method: request.method, url: request.url, authorization: request.authorization,
      contentType: request.contentType, body: request.body, further: [])
  }

  private init(
    method: String, url: RequestURL, authorization: Authorization, contentType: String?, body: [UInt8],
    further: [(name: String, value: String)]
  ) {
    var headers = HeaderFields()
    let fields =
      [("Authorization", authorization.headerValue), ("Content-Type", contentType)] + further.map { ($0, $1) }
    for (name, value) in fields {
      guard let name = FieldName(name), let value = value.flatMap({ FieldValue($0) }) else { continue }
      headers.append(name, value)
    }
    self.init(method: RequestMethod(method) ?? .get, url: url.text, headers: headers, body: body)
  }
}
