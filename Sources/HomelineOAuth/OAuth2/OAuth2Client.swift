/// The application, as it is registered with the provider (RFC 6749 §2.2).
public struct OAuth2Client: Sendable, Hashable {
  /// `client_id`; not secret.
  public let identifier: String
  /// `client_secret`, nil for a public client. One that is shipped in an application is no secret (RFC 8252 §8.5).
  public let secret: OAuth.Secret?
  /// How it is proved.
  public let authentication: ClientAuthentication

  /// Describes an application. Where the authentication asks for a secret and there is none, an empty one is sent.
  public init(identifier: String, secret: OAuth.Secret?, authentication: ClientAuthentication) {
    self.identifier = identifier
    self.secret = secret
    self.authentication = authentication
  }
}

extension OAuth2Client {
  /// A request to `endpoint` in which this client says who it is.
  func request(to endpoint: RequestURL, form: [OAuth.Parameter]) -> OAuth2FormRequest {
    let name = OAuth.Parameter("client_id", identifier)
    let secret = secret ?? OAuth.Secret("")
    switch authentication {
    case .none:
      return OAuth2FormRequest(url: endpoint, form: form + [name], authorization: nil)
    case .basic:
      return OAuth2FormRequest(url: endpoint, form: form, authorization: basic(secret))
    case .body:
      let proof = OAuth.Parameter("client_secret", exposing: secret)
      return OAuth2FormRequest(url: endpoint, form: form + [name, proof], authorization: nil)
    }
  }

  /// Both parts are form-encoded first (RFC 6749 §2.3.1): otherwise a colon in the identifier would end it.
  private func basic(_ secret: OAuth.Secret) -> OAuth.Secret {
    let pair = OAuth.PercentEncoding.encode(identifier) + ":" + secret.withExposed { OAuth.PercentEncoding.encode($0) }
    return OAuth.Secret("Basic " + Base64.encode(Array(pair.utf8)))
  }
}

/// How a client proves to an endpoint which client it is (RFC 6749 §2.3). It does so in one way at a time.
public enum ClientAuthentication: String, Sendable, Hashable, CaseIterable {
  /// Not at all: a public client names itself in the form (`client_id`, §3.2.1).
  case none
  /// By an HTTP Basic header (`client_secret_basic`).
  case basic
  /// By identifier and secret in the form (`client_secret_post`).
  case body

  /// The way that a name of `token_endpoint_auth_methods_supported` stands for (RFC 7591 §2), nil for others.
  init?(metadataName: String) {
    switch metadataName {
    case "none": self = .none
    case "client_secret_basic": self = .basic
    case "client_secret_post": self = .body
    default: return nil
    }
  }
}

/// A `POST` of form data to an endpoint of an authorisation server, ready to be sent by whatever client there is.
public struct OAuth2FormRequest: Sendable, Hashable {
  /// Where to.
  public let url: RequestURL
  /// The body; ``OAuth/FormEncoding/encode(_:)`` writes it.
  public let form: [OAuth.Parameter]
  /// The whole value of the `Authorization` header, nil for none.
  public let authorization: OAuth.Secret?

  /// Puts a request together.
  public init(url: RequestURL, form: [OAuth.Parameter], authorization: OAuth.Secret?) {
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
