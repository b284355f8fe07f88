public import Bytes

/// A request to the token endpoint for an access token (RFC 6749 §4.1.3, §6).
public struct AccessTokenRequest: Sendable, Hashable {
  private let endpoint: RequestURL
  private let client: OAuth2Client
  private let grant: AccessTokenGrant

  /// Creates the request.
  public init(endpoint: RequestURL, client: OAuth2Client, grant: AccessTokenGrant) {
    self.endpoint = endpoint
    self.client = client
    self.grant = grant
  }

  /// The request to send.
  public var request: OAuth2FormRequest { client.request(to: endpoint, form: grant.form) }
}
