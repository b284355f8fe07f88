public import Bytes
public import OAuthValues

/// A request to revoke a token (RFC 7009 §2.1). The server also responds with 200 if it does not know the token.
public struct RevocationRequest: Sendable, Hashable {
  private let endpoint: RequestURL
  private let client: OAuth2Client
  private let token: OAuth.Secret
  private let hint: String?

  /// Creates the request. `hint` is the type of the token, `access_token` or `refresh_token`; nil if it is not known.
  public init(endpoint: RequestURL, client: OAuth2Client, token: OAuth.Secret, hint: String?) {
    self.endpoint = endpoint
    self.client = client
    self.token = token
    self.hint = hint
  }

  /// The request to send.
  public var request: OAuth2FormRequest {
    let hint = hint.map { [OAuth.Parameter("token_type_hint", $0)] } ?? []
    return client.request(to: endpoint, form: [OAuth.Parameter("token", exposing: token)] + hint)
  }
}
