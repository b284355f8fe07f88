internal import Bytes
public import OAuthValues

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
