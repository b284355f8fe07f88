/// Gives a token back (RFC 7009 §2.1). The server answers 200 for a token that it does not know, too.
public struct RevocationRequest: Sendable, Hashable {
  private let endpoint: RequestURL
  private let client: OAuth2Client
  private let token: Secret
  private let hint: String?

  /// Describes the request; `hint` is `access_token` or `refresh_token` where the caller knows which it is.
  public init(endpoint: RequestURL, client: OAuth2Client, token: Secret, hint: String?) {
    self.endpoint = endpoint
    self.client = client
    self.token = token
    self.hint = hint
  }

  /// What to send.
  public var request: OAuth2FormRequest {
    let hint = hint.map { [Parameter("token_type_hint", $0)] } ?? []
    return client.request(to: endpoint, form: [Parameter("token", exposing: token)] + hint)
  }
}
