/// Weibo's parameters. A value that is not a number is an error where a number is expected.
extension RequestForm {
  func text(_ name: String) throws(WeiboError) -> String? {
    do throws(RequestFormError) { return try value(name) } catch { throw .badParameter }
  }

  func number(_ name: String) throws(WeiboError) -> UInt64? {
    guard let text = try text(name) else { return nil }
    guard let number = UInt64(text), number <= UInt64(Int64.max) else { throw .badParameter }
    return number
  }
}

/// The paths of the simulated Weibo.
package enum WeiboRoute: String, Sendable, CaseIterable {
  case authorize = "/oauth2/authorize"
  case token = "/oauth2/access_token"
  case tokenInfo = "/oauth2/get_token_info"
  case revocation = "/oauth2/revokeoauth2"
  /// The redirect URI for clients that have none: the user copies the page's address, which contains the code.
  case defaultPage = "/oauth2/default.html"
  case usersShow = "/2/users/show.json"
  case homeTimeline = "/2/statuses/home_timeline.json"
  case share = "/2/statuses/share.json"
  case rateLimitStatus = "/2/account/rate_limit_status.json"

  package var path: String { rawValue }
}
