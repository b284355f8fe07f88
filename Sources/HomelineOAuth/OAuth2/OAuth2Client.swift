/// The application, as it is registered with the provider (RFC 6749 §2.2).
public struct OAuth2Client: Sendable, Hashable {
  /// `client_id`; not secret.
  public let identifier: String
  /// `client_secret`, nil for a public client. One that is shipped in an application is no secret (RFC 8252 §8.5).
  public let secret: Secret?
  /// How it is proved.
  public let authentication: ClientAuthentication

  /// Describes an application. Where the authentication asks for a secret and there is none, an empty one is sent.
  public init(identifier: String, secret: Secret?, authentication: ClientAuthentication) {
    self.identifier = identifier
    self.secret = secret
    self.authentication = authentication
  }
}
