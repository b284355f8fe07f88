package import Bytes
package import HTTP
package import HTTPClient
package import HomelineOAuth

/// The requests of providers, before they are authorised.
extension ClientRequest {
  /// Creates a GET request.
  /// - Parameter query: appended to the endpoint's own query.
  package static func get(
    _ endpoint: RequestURL, query: [Parameter], headers: HeaderFields = [:]
  ) -> ClientRequest {
    ClientRequest(method: .get, url: endpoint.text(adding: query), headers: headers)
  }

  /// Creates a POST request with the form as its body, or without a body if the form is empty.
  package static func post(
    _ endpoint: RequestURL, form: [Parameter] = [], headers: HeaderFields = [:]
  ) -> ClientRequest {
    ClientRequest(method: .post, url: endpoint.text, form: form, headers: headers)
  }

  private init(method: RequestMethod, url: String, form: [Parameter], headers: HeaderFields) {
    guard !form.isEmpty else {
      self.init(method: method, url: url, headers: headers)
      return
    }
    var all: HeaderFields = [.contentType: Self.formType]
    for field in headers.fields where field.name != .contentType { all.append(field.name, field.value) }
    self.init(method: method, url: url, headers: all, body: Array(FormEncoding.encode(form).utf8))
  }

  /// Creates a POST request with a JSON body.
  static func post(_ endpoint: RequestURL, json: [UInt8]) -> ClientRequest {
    ClientRequest(method: .post, url: endpoint.text, headers: [.contentType: "application/json"], body: json)
  }

  /// Creates a POST request with a form that contains a file.
  static func upload(to endpoint: RequestURL, _ form: FileForm) -> ClientRequest {
    var request = ClientRequest(method: .post, url: endpoint.text)
    request.body = .form(form)
    return request
  }

  static func delete(_ endpoint: RequestURL) -> ClientRequest { ClientRequest(method: .delete, url: endpoint.text) }

  /// The value of `Content-Type` for form data, which a signature covers (RFC 5849 §3.4.1.3.1).
  private static let formType: FieldValue = "application/x-www-form-urlencoded"

  /// The parameters of a form without a file; empty for other content.
  package var form: [Parameter] {
    get throws(FormError) {
      guard case .bytes(let bytes) = body, headers.first(.contentType) == Self.formType.text else { return [] }
      return try FormEncoding.decode(bytes)
    }
  }

  /// Returns the same request with an additional parameter: in the form of a POST request, otherwise in the query.
  package func adding(_ parameter: Parameter) throws -> ClientRequest {
    switch body {
    case .form(var form):
      form.fields.append(FileForm.Field(parameter))
      var request = self
      request.body = .form(form)
      return request
    case .bytes(let bytes) where headers.first(.contentType) == Self.formType.text:
      let more = "&" + FormEncoding.encode([parameter])
      var request = self
      request.body = .bytes(bytes + Array(more.utf8))
      return request
    case nil where method == .post:
      return ClientRequest(method: method, url: url, form: [parameter], headers: headers)
    case .bytes, .streamed, nil:
      var request = ClientRequest(method: method, url: try RequestURL(url).text(adding: [parameter]), headers: headers)
      request.body = body
      return request
    }
  }
}

extension FileForm.Field {
  init(_ parameter: Parameter) { self.init(name: parameter.nameText ?? "", value: parameter.valueText ?? "") }
}

extension RequestURL {
  /// The URL with further parameters in its query.
  fileprivate func text(adding parameters: [Parameter]) -> String {
    let parts = [query, FormEncoding.encode(parameters)].compactMap { $0 }.filter { !$0.isEmpty }
    let target = parts.isEmpty ? path : path + "?" + parts.joined(separator: "&")
    // This URL is valid. The new URL is invalid only if the query is too long. Every server would refuse such a query, so it is left out.
    return ((try? RequestURL(scheme: scheme, hostHeader: authority, target: target)) ?? self).text
  }
}

/// HomelineOAuth's requests, whose method and headers are text.
extension ClientRequest {
  /// Creates the request for a login with OAuth 1.0a.
  /// - Throws: an error if HTTP does not allow the method or a header.
  package init(_ request: OutgoingRequest) throws(UnsendableRequestError) {
    guard let method = RequestMethod(request.method) else { throw UnsendableRequestError("the method is not a token") }
    var headers = HeaderFields()
    for (name, value) in request.headers { try headers.append(name: name, value: value) }
    self.init(method: method, url: request.url, headers: headers, body: request.body)
  }

  /// Creates a request to an OAuth 2.0 server (RFC 6749 §3.2).
  /// - Throws: an error if HTTP does not allow the `Authorization` header.
  package init(_ request: OAuth2FormRequest) throws(UnsendableRequestError) {
    let request = try ClientRequest(request.outgoing)
    var headers = request.headers
    headers.append("Accept", "application/json")
    self.init(method: request.method, url: request.url, headers: headers)
    body = request.body
  }
}
