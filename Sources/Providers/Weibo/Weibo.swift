package import HomelineOAuth
internal import JSON
internal import Timeline

/// Weibo's v2 API with OAuth 2.0 on the user's behalf. It returns only posts by users who have authorised the same application,
/// and allows 100 requests a day.
package struct Weibo: Provider {
  package static let name = "weibo"

  let addresses: WeiboAddresses
  /// The domain that a link in each post must lead to, as registered for the application; `nil` if unknown.
  let safeDomain: String?
  /// The user's public IP address; `nil` if unknown.
  let userAddress: String?
  package let authorization: ProviderAuthorization

  /// 100 requests a day amount to one every 864 s. Weibo reviews some posts, which then appear late. Posts cost nothing, so a request
  /// begins slightly below the newest known post to include them.
  package let traits = ProviderTraits(
    pageSize: 100, reach: 150, overlap: .seconds(60), requestsPerDay: 100,
    requestsPerMinute: 30)

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
  package func userRequest() -> ProviderRequest? { .post(addresses.tokenInfo) }

  /// Reads the response to a user request.
  /// - Throws: `.needsLogin`, including for a token that Weibo reports as expired.
  package func userStep(after response: ProviderResponse) throws(ProviderError) -> UserStep {
    let answered = try object(in: response, expected: "a user") { cursor in try WeiboOwner(&cursor) }
    switch answered {
    case .user(let user): return .user(user)
    case .token(let info) where info.hasExpired:
      throw .refused(.needsLogin("Weibo says that the token has expired. Log in again."))
    case .token(let info): return .ask(.get(addresses.usersShow, query: [Parameter("uid", info.userID)]))
    }
  }

  /// Returns the request for a page. `since_id` is one less than the known post, so that a complete response contains this post. An empty
  /// response from Weibo proves nothing.
  package func pageRequest(for query: TimelineQuery) -> ProviderRequest {
    var parameters = [Parameter("count", "\(min(max(query.count, 1), traits.pageSize))")]
    if let since = query.since {
      parameters.append(Parameter("since_id", DecimalID.predecessor(of: since.id.text) ?? since.id.text))
    }
    if let older = query.older { parameters.append(Parameter("max_id", older.text)) }
    return .get(addresses.homeTimeline, query: parameters)
  }

  package func page(from response: ProviderResponse, for query: TimelineQuery) throws(ProviderError) -> PageResponse {
    let page = try object(in: response, expected: "a timeline") { cursor in
      try WeiboPage(&cursor, permalink: permalink)
    }
    guard let result = page.page(for: query) else {
      throw .unreadable("None of the \(page.skipped) posts in the response could be read.")
    }
    return .page(PageResponse.Fetched(page: result, skipped: page.skipped))
  }

  /// Returns the request to Weibo's own endpoint; the response `{"result":"true"}` means success.
  package func revocationRequest() -> ProviderRequest? { addresses.revocation.map { .post($0) } }

  package var errorFormat: ErrorFormat { .code }

  package var habits: [ServerHabit] { ServerHabit.weibo }

  package func refusal(in response: ProviderResponse) -> ProviderFailure? { ProviderFailure(weibo: response) }

  package func classifyToken(_ error: OAuth2ResponseError, in response: ProviderResponse) -> TokenFailure {
    TokenFailure(weibo: error, in: response)
  }

  func permalink(userID: String, id: String) -> String? {
    guard addresses.homeTimeline.host == "api.weibo.com" else { return nil }
    return WeiboMID.short(id).map { "https://weibo.com/\(userID)/\($0)" }
  }
}

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

  /// Creates the addresses from paths relative to the server's base URL, some of which the account may override.
  ///
  /// A token is revoked only at its own server: if `token` is moved to a different server, `revoke` is used only if it is also
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

  /// The address for publishing a post, next to the home timeline; `nil` if the home timeline's address does not show where the API is.
  var share: RequestURL? {
    let known = "home_timeline.json"
    guard homeTimeline.query == nil, homeTimeline.path.hasSuffix("/statuses/" + known) else { return nil }
    return try? RequestURL(homeTimeline.text.dropLast(known.count) + "share.json")
  }

  /// Returns Weibo's profile: commas between scopes, no PKCE, the secret in the form, and exactly the registered callback address.
  func profile(scopes: [String]?) -> OAuth2Profile {
    OAuth2Profile(
      endpoints: OAuth2Endpoints(authorize: authorize, token: token, clientAuthentications: [.body]),
      scopes: scopes ?? [], scopeSeparator: ",", usesPKCE: false,
      tokenPlacement: .parameter("access_token"))
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
      // The name has no `s` at the end, unlike in a token response.
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
