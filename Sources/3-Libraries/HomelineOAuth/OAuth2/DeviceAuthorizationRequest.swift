public import Bytes
internal import OAuthValues

/// The request that starts a login on another device (RFC 8628 §3.1).
public struct DeviceAuthorizationRequest: Sendable, Hashable {
  private let endpoint: RequestURL
  private let client: OAuth2Client
  private let scopes: [String]

  /// Creates the request. If `scopes` is empty, the server chooses them.
  public init(endpoint: RequestURL, client: OAuth2Client, scopes: [String]) {
    self.endpoint = endpoint
    self.client = client
    self.scopes = scopes
  }

  /// The request to send.
  public var request: OAuth2FormRequest {
    let scope = scopes.isEmpty ? [] : [OAuth.Parameter("scope", scopes.joined(separator: " "))]
    return client.request(to: endpoint, form: scope)
  }
}
