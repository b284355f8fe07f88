package import Bytes
package import HTTPClient
package import HomelineOAuth
internal import JSON
package import Timeline

/// Weibo's v2 API with OAuth 2.0 on the user's behalf. It returns only posts by users who have authorised the same application, and allows
/// 100 requests per day.
package struct Weibo: Provider {
  package static let name = "weibo"

  let addresses: WeiboAddresses
  /// The domain that a link in each post must lead to, as registered for the application; `nil` if unknown.
  let safeDomain: String?
  /// The user's public IP address; `nil` if unknown.
  let userAddress: String?
  package let authorization: ProviderAuthorization

  /// 100 requests per day are one every 864 s. Posts that Weibo reviews appear late. Posts cost nothing, so each request begins slightly
  /// below the newest known post to include them.
  private static let home = TimelineTraits(pageSize: 100, reach: 150, overlap: .seconds(60))

  package let traits = ProviderTraits(requestsPerDay: 100, requestsPerMinute: 30)

  package func traits(of timeline: TimelineName) -> TimelineTraits? { timeline == .home ? Self.home : nil }

  package init?(at place: ProviderLocation) throws(RequestURLError) {
    guard place.version == .oauth2 else { return nil }
    addresses = try WeiboAddresses(place)
    safeDomain = place.safeDomain
    userAddress = place.userAddress
    authorization = .oauth2(addresses.profile(scopes: place.scopes))
  }

  /// The origin that issues the tokens.
  package var server: String { addresses.token.origin }

  package var host: String { addresses.homeTimeline.origin }

  /// Returns the request for the token's user. Its response contains an id but no name, so another request follows.
  package func userRequest() -> ClientRequest? { .post(addresses.tokenInfo) }

  /// Reads the response to a user request.
  /// - Throws: `.needsLogin`, including for a token that Weibo reports as expired.
  package func userStep(after response: ProviderResponse) throws(ProviderFailure) -> UserStep {
    let answered = try object(in: response, expected: "a user") { cursor in try WeiboOwner(&cursor) }
    switch answered {
    case .user(let user): return .user(user)
    case .token(let info) where info.hasExpired:
      throw .needsLogin("Weibo reports that the token has expired. Log in again.")
    case .token(let info): return .ask(.get(addresses.usersShow, query: [Parameter("uid", info.userID)]))
    }
  }

  /// Returns the request for a page. `since_id` is one less than the known post, so that a complete response contains this post. An empty
  /// response from Weibo proves nothing.
  package func pageRequest(for query: TimelineQuery) -> ClientRequest {
    var parameters = [Parameter("count", "\(min(max(query.count, 1), Self.home.pageSize))")]
    if let since = query.since {
      parameters.append(Parameter("since_id", DecimalID.predecessor(of: since.id.text) ?? since.id.text))
    }
    if let older = query.older { parameters.append(Parameter("max_id", older.text)) }
    return .get(addresses.homeTimeline, query: parameters)
  }

  package func page(from response: ProviderResponse, for query: TimelineQuery) throws(ProviderFailure) -> PageResponse {
    let page = try object(in: response, expected: "a timeline") { cursor in
      try WeiboPage(&cursor, permalink: permalink)
    }
    guard let result = page.page(for: query) else {
      throw .unreadable("None of the \(page.skipped) posts in the response could be read.")
    }
    return .page(PageResponse.Fetched(page: result, skipped: page.skipped))
  }

  /// Returns the request to Weibo's own endpoint; the response `{"result":"true"}` means success.
  package func revocationRequest() -> ClientRequest? { addresses.revocation.map { .post($0) } }

  package var errorFormat: ErrorFormat { .code }

  package var habits: [ServerHabit] { ServerHabit.weibo }

  package func refusal(in response: ProviderResponse) -> ProviderFailure? { ProviderFailure(weibo: response) }

  package func classifyToken(_ error: OAuth2ResponseError, in response: ProviderResponse) -> ProviderFailure {
    ProviderFailure(weibo: error, in: response)
  }

  func permalink(userID: String, id: String) -> String? {
    guard addresses.homeTimeline.host == "api.weibo.com" else { return nil }
    return WeiboMID.short(id).map { "https://weibo.com/\(userID)/\($0)" }
  }
}

/// The result of a user request: `get_token_info` proves an id, and `users/show` returns the user.
enum WeiboOwner {
  case token(WeiboTokenInfo)
  case user(User)

  /// Reads the object; `nil` if it is neither.
  init?(_ cursor: inout JSONCursor) throws {
    var other = cursor
    if let user = try WeiboUser(&cursor).user {
      self = .user(user)
    } else if let info = try WeiboTokenInfo(&other) {
      self = .token(info)
    } else {
      return nil
    }
  }
}

/// Weibo's information about a token, and the only proof of the token's user: the `uid` in a token response is unreliable.
struct WeiboTokenInfo {
  let userID: String
  /// Whether the remaining seconds are 0 or less.
  let hasExpired: Bool

  /// Reads the object; `nil` if it contains no user.
  init?(_ cursor: inout JSONCursor) throws {
    var userID: String?
    // Only its sign is used.
    var secondsLeft: Int64?
    try cursor.members { cursor, name in
      switch name {
      case "uid": userID = try cursor.lenientID() ?? userID
      // Unlike in a token response, the name does not end in `s`.
      case "expire_in": secondsLeft = try cursor.lenientInteger(in: Int64.min...Int64.max) ?? secondsLeft
      default: try cursor.skip()
      }
    }
    guard let userID, DecimalID.isDecimal(userID) else { return nil }
    self.userID = userID
    hasExpired = secondsLeft.map { $0 <= 0 } ?? false
  }
}

/// The short form of a post's id, as used in weibo.com addresses: every seven digits, counted from the end, become four
/// characters in base 62.
enum WeiboMID {
  private static let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

  /// Returns the short form of an id.
  /// - Parameter id: a decimal number of any length.
  static func short(_ id: String) -> String? {
    guard DecimalID.isDecimal(id) else { return nil }
    var rest = Array(id.utf8)[...]
    var short: [UInt8] = []
    while !rest.isEmpty {
      var number = rest.suffix(7).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
      var group: [UInt8] = []
      for _ in 0..<4 {
        group.append(alphabet[number % 62])
        number /= 62
      }
      short = group.reversed() + short
      rest = rest.dropLast(7)
    }
    let begin = short.firstIndex { $0 != UInt8(ascii: "0") } ?? short.endIndex
    return begin == short.endIndex ? nil : String(decoding: short[begin...], as: UTF8.self)
  }
}
