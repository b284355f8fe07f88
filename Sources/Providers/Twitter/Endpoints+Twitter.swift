internal import HomelineOAuth

extension Endpoints {
  /// The paths of Twitter's API v1.1.
  /// - Parameter base: a server, or a folder on it; its query does not count.
  init(twitterPathsAt base: RequestURL) throws(RequestURLError) {
    let folder = base.baseStringURI.hasSuffix("/") ? String(base.baseStringURI.dropLast()) : base.baseStringURI
    self.init(
      requestToken: try RequestURL(folder + "/oauth/request_token"),
      authorize: try RequestURL(folder + "/oauth/authorize"),
      accessToken: try RequestURL(folder + "/oauth/access_token"),
      verifyCredentials: try RequestURL(folder + "/1.1/account/verify_credentials.json"),
      homeTimeline: try RequestURL(folder + "/1.1/statuses/home_timeline.json"),
      invalidateToken: try RequestURL(folder + "/1.1/oauth/invalidate_token.json"))
  }
}
