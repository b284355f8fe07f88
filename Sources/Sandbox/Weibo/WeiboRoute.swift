/// What the Weibo of the sandbox answers.
package enum WeiboRoute: String, Sendable, CaseIterable {
  case authorize = "/oauth2/authorize"
  case token = "/oauth2/access_token"
  case tokenInfo = "/oauth2/get_token_info"
  case revocation = "/oauth2/revokeoauth2"
  /// The page for who has no server to return to: the code is read from its address.
  case defaultPage = "/oauth2/default.html"
  case usersShow = "/2/users/show.json"
  case homeTimeline = "/2/statuses/home_timeline.json"
  case rateLimitStatus = "/2/account/rate_limit_status.json"

  package var path: String { rawValue }
}
