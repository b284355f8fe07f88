internal import HomelineOAuth
internal import JSON
internal import Timeline

/// A provider that speaks Twitter's API v1.1.
package protocol TwitterDialect: Provider {
  var addresses: TwitterAddresses { get }

  /// A post's address on the provider's web site, where it follows from these two; `nil` where the post itself must tell.
  /// - Parameters: made of letters, digits and `_` only.
  func permalink(screenName: String, id: String) -> String?
}

extension TwitterDialect {
  package func permalink(screenName: String, id: String) -> String? { nil }

  /// GNU social's web pages hang where its API does: `BASE/api/…` and `BASE/notice/ID`.
  private func permalink(screenName: String, id: String, isGNUSocial: Bool) -> String? {
    guard isGNUSocial else { return permalink(screenName: screenName, id: id) }
    let timeline = addresses.homeTimeline.baseStringURI
    guard let range = timeline.ranges(of: "/api/").last else { return nil }
    return timeline[..<range.lowerBound] + "/notice/" + id
  }

  package var authorization: ProviderAuthorization { .oauth1(addresses.legs) }

  package var host: String { addresses.homeTimeline.origin }

  package func userRequest() -> ProviderRequest? {
    .get(
      addresses.verifyCredentials, query: [Parameter("include_entities", "false"), Parameter("skip_status", "true")])
  }

  package func userStep(after answer: ProviderAnswer) throws(ProviderError) -> UserStep {
    do {
      guard answer.isSuccess, try JSONCursor.kind(of: answer.body) == .object else {
        throw complaint(answer, expected: "a user")
      }
      var cursor = JSONCursor(answer.body)
      let user = try TwitterUser(&cursor).identified
      try cursor.end()
      guard let user else { throw complaint(answer, expected: "a user") }
      return .user(user)
    } catch let error as ProviderError {
      throw error
    } catch {
      throw unreadable(answer, expected: "a user", error)
    }
  }

  package func pageRequest(for query: TimelineQuery) -> ProviderRequest {
    let count = min(max(query.count, 1), traits.pageSize)
    var parameters = [
      Parameter("count", "\(count)"), Parameter("tweet_mode", "extended"), Parameter("include_entities", "true"),
    ]
    if let since = query.since { parameters.append(Parameter("since_id", since.id.text)) }
    if let older = query.older { parameters.append(Parameter("max_id", older.text)) }
    let headers = query.etag.map { [ProviderRequest.Header(name: "If-None-Match", value: $0)] } ?? []
    return .get(addresses.homeTimeline, query: parameters, headers: headers)
  }

  package func page(from answer: ProviderAnswer, for query: TimelineQuery) throws(ProviderError) -> PageAnswer {
    if answer.status == 304, query.etag != nil { return .notModified }
    do {
      guard answer.isSuccess, try JSONCursor.kind(of: answer.body) == .array else {
        throw complaint(answer, expected: "a timeline")
      }
      let page = try TwitterPage(answer.body, permalink: permalink)
      guard let result = page.page(for: query) else {
        throw ProviderError.unreadable("None of the \(page.skipped) posts that came could be read.")
      }
      return .page(
        PageAnswer.Fetched(
          page: result, skipped: page.skipped, etag: answer.header("etag"),
          // Its whole timeline can be paged through.
          reach: page.isFromGNUSocial ? .max : nil))
    } catch let error as ProviderError {
      throw error
    } catch {
      throw unreadable(answer, expected: "a timeline", error)
    }
  }

  package func revocationRequest() -> ProviderRequest? { addresses.legs.invalidateToken.map { .post($0) } }

  /// Says what came instead: a refusal where there is one in it.
  private func complaint(_ answer: ProviderAnswer, expected: String) -> ProviderError {
    if let verdict = judge(answer) { return .refused(verdict) }
    let came = answer.body.isEmpty ? "nothing" : "something else"
    return .unreadable("The provider answered with status \(answer.status) and \(came) where \(expected) was expected.")
  }

  /// A body that does not begin like JSON is a page or a sentence, and may be a refusal; one that does is broken.
  private func unreadable(_ answer: ProviderAnswer, expected: String, _ error: any Error) -> ProviderError {
    let begins = (try? JSONCursor.kind(of: answer.body)) != nil
    if !begins || !answer.isSuccess { return complaint(answer, expected: expected) }
    return .unreadable("The provider's answer cannot be read as \(expected): \(error).")
  }
}

/// The addresses of Twitter's API v1.1.
package struct TwitterAddresses: Sendable, Hashable {
  package let legs: OAuth1Endpoints
  let verifyCredentials: RequestURL
  let homeTimeline: RequestURL

  /// Its paths below a server, with single ones replaced by the account.
  init(_ place: ProviderPlace, below server: String) throws(RequestURLError) {
    legs = try OAuth1Endpoints(place, below: server, invalidation: "/1.1/oauth/invalidate_token.json")
    verifyCredentials = try place.url(.verifyCredentials, "/1.1/account/verify_credentials.json", below: server)
    homeTimeline = try place.url(.homeTimeline, "/1.1/statuses/home_timeline.json", below: server)
  }
}
