/// Begins a login in which the user decides on another device (RFC 8628 §3.1).
public struct DeviceAuthorizationRequest: Sendable, Hashable {
  private let endpoint: RequestURL
  private let client: OAuth2Client
  private let scopes: [String]

  /// Describes the request; no scopes leave the choice to the server.
  public init(endpoint: RequestURL, client: OAuth2Client, scopes: [String]) {
    self.endpoint = endpoint
    self.client = client
    self.scopes = scopes
  }

  /// What to send.
  public var request: OAuth2FormRequest {
    let scope = scopes.isEmpty ? [] : [Parameter("scope", scopes.joined(separator: " "))]
    return client.request(to: endpoint, form: scope)
  }
}
