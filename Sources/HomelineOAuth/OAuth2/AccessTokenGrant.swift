/// What an access token is asked for with (RFC 6749 §4.1.3 and §6, RFC 8628 §3.4).
public enum AccessTokenGrant: Sendable, Hashable {
  /// The code of a redirect; it works once. `redirect` is byte by byte what the user was sent with, `verifier` what its
  /// challenge was made from.
  case authorizationCode(Secret, redirect: String, verifier: CodeVerifier?)
  /// A refresh token. Where the answer has a new one, the old one must not be used again.
  case refreshToken(Secret)
  /// A device code, while the user decides on another device.
  case deviceCode(Secret)

  /// Its form, without the client's part. No scope is named at a refresh: it stays what was granted (RFC 6749 §6).
  var form: [Parameter] {
    switch self {
    case .authorizationCode(let code, let redirect, let verifier):
      [
        Parameter("grant_type", "authorization_code"), Parameter("code", exposing: code),
        Parameter("redirect_uri", redirect),
      ] + (verifier.map { [Parameter("code_verifier", exposing: $0.secret)] } ?? [])
    case .refreshToken(let token):
      [Parameter("grant_type", "refresh_token"), Parameter("refresh_token", exposing: token)]
    case .deviceCode(let code):
      [
        Parameter("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
        Parameter("device_code", exposing: code),
      ]
    }
  }
}
