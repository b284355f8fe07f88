package import HomelineOAuth

/// Where Weibo is asked.
package struct WeiboAddresses: Sendable, Hashable {
  package let authorize: RequestURL
  package let token: RequestURL
  package let tokenInfo: RequestURL
  package let revocation: RequestURL
  package let user: RequestURL
  package let homeTimeline: RequestURL

  /// - Parameter base: a server, or a folder on it; its query does not count.
  package init(at base: RequestURL) throws(RequestURLError) {
    let folder = base.baseStringURI.hasSuffix("/") ? String(base.baseStringURI.dropLast()) : base.baseStringURI
    authorize = try RequestURL(folder + "/oauth2/authorize")
    token = try RequestURL(folder + "/oauth2/access_token")
    tokenInfo = try RequestURL(folder + "/oauth2/get_token_info")
    revocation = try RequestURL(folder + "/oauth2/revokeoauth2")
    user = try RequestURL(folder + "/2/users/show.json")
    homeTimeline = try RequestURL(folder + "/2/statuses/home_timeline.json")
  }
}
