/// A `POST` of form data to an endpoint of an authorisation server, ready to be sent by whatever client there is.
public struct OAuth2FormRequest: Sendable, Hashable {
  /// Where to.
  public let url: RequestURL
  /// The body; ``FormEncoding/encode(_:)`` writes it.
  public let form: [Parameter]
  /// The whole value of the `Authorization` header, nil for none.
  public let authorization: Secret?

  /// Puts a request together.
  public init(url: RequestURL, form: [Parameter], authorization: Secret?) {
    self.url = url
    self.form = form
    self.authorization = authorization
  }
}

extension OAuth2FormRequest: CustomStringConvertible, CustomReflectable {
  /// The address and the names of the form's parameters: their values may be secret.
  public var description: String {
    "POST \(url.baseStringURI) (\(form.map { String(decoding: $0.name, as: UTF8.self) }.joined(separator: ", ")))"
  }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
