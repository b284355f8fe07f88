/// An application registered with a provider (RFC 6749 §2.2).
public struct OAuth2Client: Sendable, Hashable {
  /// The `client_id`, which is not secret.
  public let identifier: String
  /// The `client_secret`; nil for a public client. A secret that is shipped with an application is not confidential (RFC 8252 §8.5).
  public let secret: OAuth.Secret?
  /// How the client authenticates.
  public let authentication: ClientAuthentication

  /// Creates a client. If the authentication requires a secret and there is none, an empty one is sent.
  public init(identifier: String, secret: OAuth.Secret?, authentication: ClientAuthentication) {
    self.identifier = identifier
    self.secret = secret
    self.authentication = authentication
  }
}

extension OAuth2Client {
  /// Creates a request to `endpoint` with this client's authentication.
  func request(to endpoint: RequestURL, form: [OAuth.Parameter]) -> OAuth2FormRequest {
    let name = OAuth.Parameter("client_id", identifier)
    let secret = secret ?? OAuth.Secret("")
    switch authentication {
    case .none:
      return OAuth2FormRequest(url: endpoint, form: form + [name], authorization: nil)
    case .basic:
      return OAuth2FormRequest(url: endpoint, form: form, authorization: basic(secret))
    case .body:
      let secret = OAuth.Parameter("client_secret", exposing: secret)
      return OAuth2FormRequest(url: endpoint, form: form + [name, secret], authorization: nil)
    }
  }

  /// Returns the Basic header. The identifier and the secret are encoded (RFC 6749 §2.3.1), because the identifier may contain a colon.
  private func basic(_ secret: OAuth.Secret) -> OAuth.Secret {
    let pair = OAuth.PercentEncoding.encode(identifier) + ":" + secret.withExposed { OAuth.PercentEncoding.encode($0) }
    return OAuth.Secret("Basic " + Base64.encode(Array(pair.utf8)))
  }
}

/// A way for a client to authenticate to an endpoint (RFC 6749 §2.3). A request uses only one method.
public enum ClientAuthentication: String, Sendable, Hashable, CaseIterable {
  /// No authentication: a public client sends its `client_id` in the form (§3.2.1).
  case none
  /// The request has an HTTP Basic header (`client_secret_basic`).
  case basic
  /// The form contains the identifier and the secret (`client_secret_post`).
  case body

  /// Creates the method from a name in `token_endpoint_auth_methods_supported` (RFC 7591 §2); nil if this library does not support it.
  init?(metadataName: String) {
    switch metadataName {
    case "none": self = .none
    case "client_secret_basic": self = .basic
    case "client_secret_post": self = .body
    default: return nil
    }
  }
}

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

extension OAuth2FormRequest: CustomStringConvertible, CustomReflectable {
  /// The URL and the names of the parameters. The values may be secret.
  public var description: String {
    "POST \(url.baseStringURI) (\(form.map { String(decoding: $0.name, as: UTF8.self) }.joined(separator: ", ")))"
  }

  /// An empty mirror, so that `dump` shows no secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
