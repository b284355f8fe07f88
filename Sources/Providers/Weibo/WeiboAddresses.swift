internal import HomelineOAuth

/// Where Weibo is asked.
struct WeiboAddresses: Sendable, Hashable {
  /// Weibo's own server.
  static let server = "https://api.weibo.com"

  let authorize: RequestURL
  let token: RequestURL
  let tokenInfo: RequestURL
  /// `nil` where a token cannot be given back.
  let revocation: RequestURL?
  let usersShow: RequestURL
  let homeTimeline: RequestURL

  /// The paths below the server, with single ones replaced by the account.
  ///
  /// A token is given back only where it came from: with `token` moved to another server, `revoke` counts only when it is named
  /// too.
  init(_ place: ProviderPlace) throws(RequestURLError) {
    authorize = try place.url(.authorize, "/oauth2/authorize", below: Self.server)
    token = try place.url(.token, "/oauth2/access_token", below: Self.server)
    tokenInfo = try place.url(.tokenInfo, "/oauth2/get_token_info", below: Self.server)
    let isMoved = token.origin != (place.base?.origin ?? Self.server)
    if isMoved, place.endpoints[.revoke] == nil {
      revocation = nil
    } else {
      revocation = try place.url(.revoke, "/oauth2/revokeoauth2", below: Self.server)
    }
    usersShow = try place.url(.usersShow, "/2/users/show.json", below: Self.server)
    homeTimeline = try place.url(.homeTimeline, "/2/statuses/home_timeline.json", below: Self.server)
  }

  /// Commas between scopes, no PKCE, the secret in the form, and the registered callback address to the letter.
  func profile(scopes: [String]?) -> OAuth2Profile {
    OAuth2Profile(
      endpoints: OAuth2Endpoints(authorize: authorize, token: token, clientAuthentications: [.body]),
      scopes: scopes ?? [], scopeSeparator: ",", usesPKCE: false, redirects: .exact,
      tokenPlacement: .parameter("access_token"))
  }
}
