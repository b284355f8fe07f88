/// The token endpoint's answer (RFC 6749 §5.1), known by its content: JSON, or form data as some servers send it.
public struct AccessTokenResponse: Sendable, Hashable {
  /// The access token: visible ASCII, as a header can carry it.
  public let accessToken: OAuth.Secret
  /// `token_type` as told, `bearer` when it is missing. It is bearer in any letter case.
  public let tokenType: String
  /// How many seconds it is good for, from 0 to ten years; nil when the server does not say.
  public let expiresIn: Int64?
  /// The refresh token, nil without one: an old one then stays good (§6).
  public let refreshToken: OAuth.Secret?
  /// What was granted, nil where it is what was asked for.
  public let scope: String?
  /// The ID Token, nil without one. ``IDToken`` reads it.
  public let idToken: OAuth.Secret?
  /// The other single values as text: `uid`, `me`, `id`, `created_at`.
  public let further: [String: String]

  /// Reads the answer.
  ///
  /// - Throws: ``OAuth2ResponseError``; nothing of the answer may be kept then.
  public init(_ response: OAuth.Response) throws(OAuth2ResponseError) {
    let names = ["access_token", "token_type", "expires_in", "refresh_token", "scope", "id_token"]
    let members = try OAuth2ResponseReader(response, essential: "access_token", names: names)
    let token = try members.required("access_token")
    guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw members.unreadable("an access_token that no header can carry")
    }
    tokenType = members.text("token_type") ?? "bearer"
    guard ASCII.lowercased(tokenType) == "bearer" else {
      let type = ProviderText.cleaned(tokenType.utf8, hiding: response.hiding)
      throw members.unreadable("a token of the type “\(type)”, which is not bearer,")
    }
    accessToken = OAuth.Secret(token)
    expiresIn = members.seconds("expires_in")
    refreshToken = members.text("refresh_token").map { OAuth.Secret($0) }
    scope = members.text("scope")
    idToken = members.text("id_token").map { OAuth.Secret($0) }
    further = members.scalars(besides: names + ["error"])
  }
}

extension AccessTokenResponse: CustomStringConvertible, CustomReflectable {
  /// Type, lifetime and scope: the rest is secret, or may be.
  public var description: String {
    "\(tokenType) token, \(expiresIn.map { "\($0) seconds" } ?? "no lifetime told"), \(scope ?? "no scope told")"
  }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
