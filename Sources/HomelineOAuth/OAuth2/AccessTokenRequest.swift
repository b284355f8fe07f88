/// Asks the token endpoint for an access token (RFC 6749 §4.1.3, §6).
public struct AccessTokenRequest: Sendable, Hashable {
  private let endpoint: RequestURL
  private let client: OAuth2Client
  private let grant: AccessTokenGrant

  /// Describes the request.
  public init(endpoint: RequestURL, client: OAuth2Client, grant: AccessTokenGrant) {
    self.endpoint = endpoint
    self.client = client
    self.grant = grant
  }

  /// What to send.
  public var request: OAuth2FormRequest { client.request(to: endpoint, form: grant.form) }
}

/// What an access token is asked for with (RFC 6749 §4.1.3 and §6, RFC 8628 §3.4).
public enum AccessTokenGrant: Sendable, Hashable {
  /// The code of a redirect; it works once. `redirect` is byte by byte what the user was sent with, `verifier` what its
  /// challenge was made from.
  case authorizationCode(OAuth.Secret, redirect: String, verifier: CodeVerifier?)
  /// A refresh token. Where the answer has a new one, the old one must not be used again.
  case refreshToken(OAuth.Secret)
  /// A device code, while the user decides on another device.
  case deviceCode(OAuth.Secret)

  /// Its form, without the client's part. No scope is named at a refresh: it stays what was granted (RFC 6749 §6).
  var form: [OAuth.Parameter] {
    switch self {
    case .authorizationCode(let code, let redirect, let verifier):
      [
        OAuth.Parameter("grant_type", "authorization_code"), OAuth.Parameter("code", exposing: code),
        OAuth.Parameter("redirect_uri", redirect),
      ] + (verifier.map { [OAuth.Parameter("code_verifier", exposing: $0.secret)] } ?? [])
    case .refreshToken(let token):
      [OAuth.Parameter("grant_type", "refresh_token"), OAuth.Parameter("refresh_token", exposing: token)]
    case .deviceCode(let code):
      [
        OAuth.Parameter("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
        OAuth.Parameter("device_code", exposing: code),
      ]
    }
  }
}

/// Gives a token back (RFC 7009 §2.1). The server answers 200 for a token that it does not know, too.
public struct RevocationRequest: Sendable, Hashable {
  private let endpoint: RequestURL
  private let client: OAuth2Client
  private let token: OAuth.Secret
  private let hint: String?

  /// Describes the request; `hint` is `access_token` or `refresh_token` where the caller knows which it is.
  public init(endpoint: RequestURL, client: OAuth2Client, token: OAuth.Secret, hint: String?) {
    self.endpoint = endpoint
    self.client = client
    self.token = token
    self.hint = hint
  }

  /// What to send.
  public var request: OAuth2FormRequest {
    let hint = hint.map { [OAuth.Parameter("token_type_hint", $0)] } ?? []
    return client.request(to: endpoint, form: [OAuth.Parameter("token", exposing: token)] + hint)
  }
}
