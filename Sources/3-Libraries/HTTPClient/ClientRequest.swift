package import HTTP

/// A request: an absolute URL, header fields and content. Providers and logins create it, an authority adds its proof, and the client sends
/// it.
package struct ClientRequest: Sendable {
  /// The content of a request.
  package enum Body: Sendable {
    case bytes([UInt8])
    /// Content that is read while it is sent.
    case streamed(StreamedBody)
    /// A form with a file, which must be open when the request is sent.
    case form(FileForm)
  }

  package let method: RequestMethod
  /// The URL, sent exactly as written, because a signature may cover it.
  package let url: String
  package private(set) var headers: HeaderFields
  package var body: Body?
  /// Whether the request may be sent again if the server has closed a reused connection. If so, a connection is reused even for methods
  /// other than GET.
  package var isRepeatable = false
  package internal(set) var rules: ResponseRules
  /// Receives the body of the response, which the ``Response`` then does not contain.
  package var receiver: BodyReceiver?
  /// The networks that the request may reach; nil for trusted URLs, which come from the user or a provider definition.
  package var addressPolicy: AddressPolicy?

  package init(
    method: RequestMethod, url: String, headers: HeaderFields = [:], body: [UInt8]? = nil,
    rules: ResponseRules = ResponseRules(), addressPolicy: AddressPolicy? = nil
  ) {
    self.addressPolicy = addressPolicy
    self.rules = rules
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body.map { .bytes($0) }
  }

  /// Returns the request with a value for its `Authorization` header.
  /// - Throws: an error if HTTP does not allow the value.
  package func authorised(_ value: String) throws(UnsendableRequestError) -> ClientRequest {
    var request = self
    request.headers = [:]
    try request.headers.append(name: "Authorization", value: value)
    for field in headers.fields { request.headers.append(field.name, field.value) }
    return request
  }
}

extension ClientRequest {
  /// The content in memory; empty if there is none.
  var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }

  /// The content that is read while it is sent; nil if it is in memory.
  var streamedBody: StreamedBody? { if case .streamed(let body) = body { body } else { nil } }

  /// The number of bytes that are read while the request is sent, without a form's text.
  package var streamedSize: Int {
    switch body {
    case .streamed(let body): body.count
    case .form(let form): form.range.count
    case .bytes, nil: 0
    }
  }

  /// Encodes a form with a file. The transfer time depends on the file, so only the time without progress is limited.
  mutating func encodeForm() {
    guard case .form(let form) = body else { return }
    let encoded = form.encoded()
    body = .streamed(encoded.body)
    headers.append(.contentType, encoded.type)
    rules.idleTimeout = FileForm.idleTimeout
  }
}
