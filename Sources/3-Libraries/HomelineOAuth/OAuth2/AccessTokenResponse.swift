public import Bytes
public import OAuthValues

/// The token endpoint's response (RFC 6749 §5.1), in JSON or, as sent by some servers, in form data.
public struct AccessTokenResponse: Sendable, Hashable {
  /// The access token, which consists of visible ASCII characters.
  public let accessToken: OAuth.Secret
  /// The received `token_type`, which is `bearer` in upper or lower case; `bearer` if the response has none.
  public let tokenType: String
  /// The lifetime in seconds, from 0 to ten years; nil if the server sends no plausible lifetime.
  public let expiresIn: Int64?
  /// When the token expires, in seconds since 1970 according to the server's clock, if the server sends a time (`expires_at`, `expires_on`, or
  /// a time as `expires_in`); otherwise nil. A server may send both; the earlier one counts.
  public let expiresAt: Int64?
  /// The refresh token; nil if the response contains none. An earlier refresh token then remains valid (§6).
  public let refreshToken: OAuth.Secret?
  /// The granted scope; nil if the response omits it, which means that the requested scope was granted.
  public let scope: String?
  /// The ID Token; nil if there is none. ``IDToken`` parses it.
  public let idToken: OAuth.Secret?
  /// All other scalar values as text, such as `uid`, `me`, `id` and `created_at`.
  public let extra: [String: String]

  /// Parses the response.
  ///
  /// - Throws: ``OAuth2ResponseError``; no part of the response may then be used.
  public init(_ response: OAuth.Response) throws(OAuth2ResponseError) {
    let names = ["access_token", "token_type", "expires_in", "refresh_token", "scope", "id_token"]
    let members = try OAuth2ResponseReader(response, essential: "access_token", names: names)
    let token = try members.required("access_token")
    guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw members.unusable("has an access_token with characters that a header cannot contain")
    }
    tokenType = members.text("token_type") ?? "bearer"
    guard ASCII.lowercased(tokenType) == "bearer" else {
      let type = ProviderText.cleaned(tokenType.utf8, hiding: response.hiding)
      throw members.unusable("has a token of type “\(type)” instead of bearer")
    }
    accessToken = OAuth.Secret(token)
    expiresAt = members.expiry
    expiresIn = members.lifetime
    refreshToken = members.text("refresh_token").map { OAuth.Secret($0) }
    scope = members.text("scope")
    idToken = members.text("id_token").map { OAuth.Secret($0) }
    extra = members.scalars(besides: names + Lifetime.names + ["error"])
  }
}

extension AccessTokenResponse: CustomStringConvertible, CustomReflectable {
  /// The type, the lifetime and the scope. The other properties may be secret.
  public var description: String {
    let lifetime = expiresIn.map { "\($0) seconds" } ?? expiresAt.map { "until \($0)" } ?? "unknown lifetime"
    return "\(tokenType) token, \(lifetime), \(scope ?? "unknown scope")"
  }

  /// An empty mirror, so that `dump` shows no secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
