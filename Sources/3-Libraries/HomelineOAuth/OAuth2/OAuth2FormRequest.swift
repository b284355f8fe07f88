public import Bytes
public import OAuthValues

/// A `POST` request with form data to an endpoint of an authorisation server. Send it with any HTTP client.
public struct OAuth2FormRequest: Sendable, Hashable {
  /// The endpoint.
  public let url: RequestURL
  /// The parameters of the body. ``OAuth/FormEncoding/encode(_:)`` encodes them.
  public let form: [OAuth.Parameter]
  /// The value of the `Authorization` header; nil if there is none.
  public let authorization: OAuth.Secret?

  /// Creates a request.
  public init(url: RequestURL, form: [OAuth.Parameter], authorization: OAuth.Secret?) {
    self.url = url
    self.form = form
    self.authorization = authorization
  }
}

extension OAuth2FormRequest {
  /// The request for your HTTP client.
  public var outgoing: OutgoingRequest {
    OutgoingRequest(
      method: "POST", url: url.text, authorization: authorization, contentType: OAuth.FormEncoding.contentType,
      body: Array(OAuth.FormEncoding.encode(form).utf8))
  }
}

extension OAuth2FormRequest: CustomStringConvertible, CustomReflectable {
  /// The URL and the names of the parameters. The values may be secret.
  public var description: String {
    "POST \(url.baseStringURI) (\(form.map { String(decoding: $0.name, as: UTF8.self) }.joined(separator: ", ")))"
  }

  /// An empty mirror, so that `dump` shows no secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
