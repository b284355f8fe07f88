internal import HomelineOAuth

extension Endpoints {
  /// The paths of X's API v2, and those of OAuth 1.0a beside it.
  /// - Parameter base: a server, or a folder on it; its query does not count.
  init(xPathsAt base: RequestURL) throws(RequestURLError) {
    let folder = base.baseStringURI.hasSuffix("/") ? String(base.baseStringURI.dropLast()) : base.baseStringURI
    self.init(
      requestToken: try RequestURL(folder + "/oauth/request_token"),
      authorize: try RequestURL(folder + "/oauth/authorize"),
      accessToken: try RequestURL(folder + "/oauth/access_token"),
      verifyCredentials: try RequestURL(folder + "/2/users/me"),
      homeTimeline: try RequestURL(folder + "/2/users/{id}/timelines/reverse_chronological"),
      invalidateToken: try RequestURL(folder + "/1.1/oauth/invalidate_token"))
  }
}
