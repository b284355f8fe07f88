internal import HTTP

/// Unusual behaviour of the simulated Weibo, and the data that it withholds from clients.
struct WeiboQuirks: Sendable {
  /// The `Content-Type` of a token response, which is always JSON.
  enum TokenType: String, Sendable, CaseIterable {
    case plain = "text/plain;charset=UTF-8"
    case json = "application/json;charset=UTF-8"
    case html = "text/html;charset=UTF-8"
  }

  /// The form of the user's id in a token response.
  enum UserID: Sendable, CaseIterable { case text, number, missing }

  // MARK: Authorisation

  var tokenType = TokenType.plain
  var userID = UserID.text
  /// Whether a user who has authorised the application and still has a valid token is not asked again, except with `forcelogin`.
  var skipsConsent = false
  /// Whether the result of a revocation is `{"result":true}` instead of `{"result":"true"}`.
  var writesResultAsFlag = false

  // MARK: Errors

  /// Whether `error_code` is a string.
  var writesCodesAsText = false
  /// Whether errors have the `request` member.
  var namesRequests = true
  /// The status of token errors. Weibo has used 400, 401 and 403.
  var tokenStatus = 400

  // MARK: Posting

  /// The application's safe domain: a post must contain a link to it.
  var safeDomain = "app.example"
  /// Whether a post must contain the user's public IP address, as newer documentation requires.
  var requiresUserAddress = false

  // MARK: The timeline

  /// Whether the application may read everything except the home timeline.
  var closesHomeTimeline = false
  /// Every Nth author has not authorised the application. Their posts are counted but not returned. `nil` if all authors have.
  var silentAuthors: Int? = 4
  /// Whether pages contain no posts, although Weibo counts the posts and returns a cursor for the next page.
  var emptiesPages = false
  /// Every Nth post has no author; `nil` for none.
  var omitsUsers: Int?
  /// Every Nth reposted post is deleted; `nil` for none.
  var deletesOriginals: Int?
  /// Every Nth post is deleted, and the timeline contains a placeholder for it; `nil` for none.
  var deletesPosts: Int?
  /// Whether every API response is empty, as for a client that has sent too many requests.
  var isBanned = false

  // MARK: Limits

  /// The number of requests that a user may send through the application per day in China's time zone.
  var requestsPerDay = 100
}
