internal import OAuthValues

/// The grant to exchange for an access token (RFC 6749 §4.1.3 and §6, RFC 8628 §3.4).
public enum AccessTokenGrant: Sendable, Hashable {
  /// The code from a redirect, which can be used only once. `redirect` is the callback URL exactly as in the authorisation request.
  /// `verifier` is the code verifier whose challenge was sent in that request.
  case authorizationCode(OAuth.Secret, redirect: String, verifier: CodeVerifier?)
  /// A refresh token. If the response contains a new refresh token, the old one must not be used again.
  case refreshToken(OAuth.Secret)
  /// A device code, while the user authorises the application on another device.
  case deviceCode(OAuth.Secret)
  /// The user's name and password (RFC 6749 §4.3). RFC 9700 §2.4 forbids this grant; use it only if a server supports no other.
  case password(userName: String, OAuth.Secret)

  /// The parameters, without the client's authentication. A refresh requests no scope, so the granted scope is kept (RFC 6749 §6).
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
    case .password(let userName, let password):
      [
        OAuth.Parameter("grant_type", "password"), OAuth.Parameter("username", userName),
        OAuth.Parameter("password", exposing: password),
      ]
    }
  }
}
