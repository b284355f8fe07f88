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
    pageSize: 100, reach: 150, overlap: .seconds(60), refreshInterval: .seconds(900), requestsPerDay: 100,
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
    let answered = try answer.object(expected: "a user", judge: judge) { cursor in try WeiboOwner(&cursor) }
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
    let page = try answer.object(expected: "a timeline", judge: judge) { cursor in
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
