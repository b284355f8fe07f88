package import HomelineOAuth
internal import JSON
internal import Timeline

/// Weibo's API v2, asked in the user's name with OAuth 2.0. It gives the posts of those only who have authorised the same application,
/// and 100 answers a day.
package struct Weibo: Provider {
  package static let name = "weibo"

  private let addresses: WeiboAddresses
  package let authorization: ProviderAuthorization

  /// 100 requests a day are one in 864 s: no more often than that is it asked. Posts that are reviewed first appear late, and no post
  /// costs anything, so a request begins a little below what is known.
  package let traits = ProviderTraits(
    pageSize: 100, reach: 150, overlap: .seconds(60), requestsPerDay: 100,
    requestsPerMinute: 30)

  package init?(at place: ProviderPlace) throws(RequestURLError) {
    guard place.scheme == .oauth2 else { return nil }
    addresses = try WeiboAddresses(place)
    authorization = .oauth2(addresses.profile(scopes: place.scopes))
  }

  /// The origin that gives the tokens.
  package var server: String { addresses.token.origin }

  package var host: String { addresses.homeTimeline.origin }

  /// Asks whose the token is: that tells an id and no name, so another request follows.
  package func userRequest() -> ProviderRequest? { .post(addresses.tokenInfo) }

  /// - Throws: that a login is needed, also for a token of which Weibo says that it has expired.
  package func userStep(after answer: ProviderAnswer) throws(ProviderError) -> UserStep {
    let answered = try object(in: answer, expected: "a user") { cursor in try WeiboOwner(&cursor) }
    switch answered {
    case .user(let user): return .user(user)
    case .token(let info) where info.hasExpired:
      throw .refused(.needsLogin("Weibo says that the token has expired. Log in again."))
    case .token(let info): return .ask(.get(addresses.usersShow, query: [Parameter("uid", info.userID)]))
    }
  }

  /// Asks for posts. `since_id` is one less than the post that is known, so that an answer which leaves nothing out shows that very post:
  /// that no post came is never a sign of anything here.
  package func pageRequest(for query: TimelineQuery) -> ProviderRequest {
    var parameters = [Parameter("count", "\(min(max(query.count, 1), traits.pageSize))")]
    if let since = query.since {
      parameters.append(Parameter("since_id", DecimalID.predecessor(of: since.id.text) ?? since.id.text))
    }
    if let older = query.older { parameters.append(Parameter("max_id", older.text)) }
    return .get(addresses.homeTimeline, query: parameters)
  }

  package func page(from answer: ProviderAnswer, for query: TimelineQuery) throws(ProviderError) -> PageAnswer {
    let page = try object(in: answer, expected: "a timeline") { cursor in
      try WeiboPage(&cursor, permalink: permalink)
    }
    guard let result = page.page(for: query) else {
      throw .unreadable("None of the \(page.skipped) posts that came could be read.")
    }
    return .page(PageAnswer.Fetched(page: result, skipped: page.skipped))
  }

  /// Weibo's own way; `{"result":"true"}` says that it did.
  package func revocationRequest() -> ProviderRequest? { addresses.revocation.map { .post($0) } }

  package func judge(_ answer: ProviderAnswer) -> Verdict? { Verdict(weibo: answer) }

  package func judgeToken(_ error: OAuth2AnswerError, in answer: ProviderAnswer) -> TokenVerdict {
    TokenVerdict(weibo: error, in: answer)
  }

  private func permalink(userID: String, id: String) -> String? {
    guard addresses.homeTimeline.host == "api.weibo.com" else { return nil }
    return WeiboMID.short(id).map { "https://weibo.com/\(userID)/\($0)" }
  }
}

/// Where Weibo is asked.
struct WeiboAddresses: Sendable, Hashable {
  /// Weibo's own server.
  static let server = "https://api.weibo.com"

  let authorize: RequestURL
  let token: RequestURL
  let tokenInfo: RequestURL
  /// `nil` where a token cannot be given back.
  let revocation: RequestURL?
  let usersShow: RequestURL
  let homeTimeline: RequestURL

  /// The paths below the server, with single ones replaced by the account.
  ///
  /// A token is given back only where it came from: with `token` moved to another server, `revoke` counts only when it is named
  /// too.
  init(_ place: ProviderPlace) throws(RequestURLError) {
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

  /// Commas between scopes, no PKCE, the secret in the form, and the registered callback address to the letter.
  func profile(scopes: [String]?) -> OAuth2Profile {
    OAuth2Profile(
      endpoints: OAuth2Endpoints(authorize: authorize, token: token, clientAuthentications: [.body]),
      scopes: scopes ?? [], scopeSeparator: ",", usesPKCE: false,
      tokenPlacement: .parameter("access_token"))
  }
}

/// How far it is known whose token it is: `get_token_info` proves an id, and `users/show` tells who that is.
enum WeiboOwner {
  case token(WeiboTokenInfo)
  case user(User)

  /// Takes the object; `nil` when it is neither.
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

/// What Weibo says of a token: the only proof of whose it is, since the `uid` beside a token is not to be relied on.
struct WeiboTokenInfo {
  let userID: String
  /// Whether there are no seconds left; they go on below 0.
  let hasExpired: Bool

  /// Takes the object; `nil` when it names no user.
  init?(_ cursor: inout JSONCursor) throws {
    var userID: String?
    var secondsLeft: Int64?
    try cursor.members { cursor, name in
      switch name {
      case "uid": userID = try cursor.lenientID() ?? userID
      // Without an `s`, unlike the member of a token's answer.
      case "expire_in": secondsLeft = try cursor.lenientID().flatMap { Int64($0) } ?? secondsLeft
      default: try cursor.skip()
      }
    }
    guard let userID, DecimalID.isDecimal(userID) else { return nil }
    self.userID = userID
    hasExpired = secondsLeft.map { $0 <= 0 } ?? false
  }
}

/// The short form of a post's id, as the addresses of weibo.com have it: each seven digits, counted from the end, are four
/// characters in base 62.
enum WeiboMID {
  private static let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

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
