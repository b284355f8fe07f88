internal import HTTP

/// In which of its ways the Weibo of the sandbox answers, and what it keeps from its clients.
package struct WeiboQuirks: Sendable {
  /// What a token's answer says to be; it is JSON in any case.
  package enum TokenType: String, Sendable, CaseIterable {
    case plain = "text/plain;charset=UTF-8"
    case json = "application/json;charset=UTF-8"
    case html = "text/html;charset=UTF-8"
  }

  /// How the user's id stands beside a token.
  package enum UserID: Sendable, CaseIterable { case text, number, missing }

  // MARK: Authorisation

  package var tokenType = TokenType.plain
  package var userID = UserID.text
  /// Whoever has authorised the application and still holds a good token is not asked again, but with `forcelogin`.
  package var flashesThrough = false
  /// `{"result":true}` where it was `{"result":"true"}`.
  package var writesResultAsFlag = false

  // MARK: Refusals

  /// `error_code` as a string.
  package var writesCodesAsText = false
  /// `request` stands in refusals.
  package var namesRequests = true
  /// The status of what is wrong with a token: 400, 401 and 403 have been seen.
  package var tokenStatus = 400

  // MARK: The timeline

  /// The application may not read the home timeline, while all else is open to it.
  package var closesHomeTimeline = false
  /// Every so-manieth author has not authorised the application; their posts are counted and not given. nil: all have.
  package var silentAuthors: Int? = 4
  /// No post is given, though Weibo goes on counting them and names a next page.
  package var emptiesPages = false
  /// Every so-manieth post has no author; nil: none.
  package var omitsUsers: Int?
  /// Every so-manieth post that is passed on was deleted; nil: none.
  package var deletesOriginals: Int?
  /// Every so-manieth post was deleted, and stands in the timeline as one that was; nil: none.
  package var deletesPosts: Int?
  /// Everything is answered with nothing, as to a client that has asked too often.
  package var isBanned = false

  // MARK: Limits

  /// What a user may ask for through the application in a Chinese day.
  package var requestsPerDay = 100

  package init() {}
}
