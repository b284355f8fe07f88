internal import HomelineOAuth
internal import JSON
package import Timeline

/// Weibo's API v2, asked in the user's name with OAuth 2.0. It gives the posts of those only who have authorised the same application,
/// and 100 answers a day.
package struct Weibo: Sendable {
  package static let name = "weibo"
  /// Weibo's own server.
  package static let base = "https://api.weibo.com"

  package let addresses: WeiboAddresses

  /// 100 requests a day are one in 864 s: no more often than that is it asked. Posts that are reviewed first appear late, and no post
  /// costs anything, so a request begins a little below what is known.
  package let traits = ProviderTraits(
    pageSize: 100, reach: 150, overlap: .seconds(60), refreshInterval: .seconds(900), requestsPerDay: 100)

  package init(addresses: WeiboAddresses) { self.addresses = addresses }

  /// Asks whose token it is. The name and the picture are asked for with `showRequest(uid:)` then.
  package func tokenInfoRequest() -> ProviderRequest { .post(addresses.tokenInfo) }

  /// Reads the answer to `tokenInfoRequest()`.
  package func tokenInfo(from answer: ProviderAnswer) throws(ProviderError) -> WeiboTokenInfo {
    try answer.object(expected: "a token's owner", judge: judge) { cursor in try WeiboTokenInfo(&cursor) }
  }

  /// Asks who a user is.
  /// - Parameter uid: the id that `tokenInfo(from:)` gave.
  package func showRequest(uid: String) -> ProviderRequest { .get(addresses.user, query: [Parameter("uid", uid)]) }

  /// Reads the answer to `showRequest(uid:)`.
  package func user(from answer: ProviderAnswer) throws(ProviderError) -> User {
    try answer.object(expected: "a user", judge: judge) { cursor in try WeiboUser(&cursor).user }
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

  /// Reads the answer to `pageRequest(for:)` with the same query.
  package func page(from answer: ProviderAnswer, for query: TimelineQuery) throws(ProviderError) -> PageAnswer {
    let page = try answer.object(expected: "a timeline", judge: judge) { cursor in
      try WeiboPage(&cursor, permalink: permalink)
    }
    guard let result = page.page(for: query) else {
      throw .unreadable("None of the \(page.skipped) posts that came could be read.")
    }
    return .page(PageAnswer.Fetched(page: result, skipped: page.skipped))
  }

  /// Asks Weibo to forget the token. `{"result":"true"}` says that it did.
  package func revocationRequest() -> ProviderRequest? { .post(addresses.revocation) }

  package func judge(_ answer: ProviderAnswer) -> Verdict? { Verdict(weibo: answer) }

  private func permalink(userID: String, id: String) -> String? {
    guard addresses.homeTimeline.host == "api.weibo.com" else { return nil }
    return WeiboMID.short(id).map { "https://weibo.com/\(userID)/\($0)" }
  }
}
