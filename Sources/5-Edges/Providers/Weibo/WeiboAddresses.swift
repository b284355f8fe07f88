internal import Bytes
internal import HomelineOAuth

/// Weibo's endpoints.
struct WeiboAddresses: Sendable, Hashable {
  /// Weibo's own server.
  static let server = "https://api.weibo.com"

  let authorize: RequestURL
  let token: RequestURL
  let tokenInfo: RequestURL
  /// The endpoint that revokes a token; `nil` if tokens cannot be revoked.
  let revocation: RequestURL?
  let usersShow: RequestURL
  let homeTimeline: RequestURL

  /// Creates the addresses from paths relative to the server's base URL. The account may override some of them.
  ///
  /// A token is revoked only on its own server: if `token` is moved to a different server, `revoke` is used only if it is also
  /// configured.
  init(_ place: ProviderLocation) throws(RequestURLError) {
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

  /// The address for publishing a post; `nil` if the home timeline's address does not show where the API is.
  var share: RequestURL? { endpoint("share.json") }

  /// The address of a single post.
  var statusesShow: RequestURL? { endpoint("show.json") }

  /// Returns an address next to the home timeline.
  private func endpoint(_ name: String) -> RequestURL? {
    let known = "home_timeline.json"
    guard homeTimeline.query == nil, homeTimeline.path.hasSuffix("/statuses/" + known) else { return nil }
    return try? RequestURL(homeTimeline.text.dropLast(known.count) + name)
  }

  /// Returns Weibo's profile: commas between scopes, no PKCE, the secret in the form, and exactly the registered callback address.
  func profile(scopes: [String]?) -> OAuth2Profile {
    OAuth2Profile(
      endpoints: OAuth2Endpoints(authorize: authorize, token: token, clientAuthentications: [.body]),
      scopes: scopes ?? [], scopeSeparator: ",", usesPKCE: false,
      tokenPlacement: .parameter("access_token"))
  }
}
