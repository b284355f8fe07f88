internal import Bytes
internal import HTTP
package import HTTPClient
internal import HomelineOAuth
internal import JSON
internal import Timeline

/// A provider with Twitter's v1.1 API.
package protocol TwitterCompatible: TimelineCatalogue {
  var addresses: TwitterAddresses { get }

  /// Returns a post's address on the provider's web site; `nil` if it cannot be derived from the screen name and the id.
  /// - Parameters: both consist of letters, digits and `_`.
  func permalink(screenName: String, id: String) -> String?
}

extension TwitterCompatible {
  package func permalink(screenName: String, id: String) -> String? { nil }

  /// GNU social's web pages are located next to its API: `BASE/api/…` and `BASE/notice/ID`.
  func permalink(screenName: String, id: String, isGNUSocial: Bool) -> String? {
    guard isGNUSocial else { return permalink(screenName: screenName, id: id) }
    let timeline = addresses.homeTimeline.baseStringURI
    guard let range = timeline.ranges(of: "/api/").last else { return nil }
    return timeline[..<range.lowerBound] + "/notice/" + id
  }

  package var authorization: ProviderAuthorization { .oauth1(addresses.oauth) }

  package var host: String { addresses.homeTimeline.origin }

  package func userRequest() -> ClientRequest? {
    .get(
      addresses.verifyCredentials, query: [Parameter("include_entities", "false"), Parameter("skip_status", "true")])
  }

  package func userStep(after response: ProviderResponse) throws(ProviderFailure) -> UserStep {
    try object(in: response, expected: "a user") { cursor in try TwitterUser(&cursor).identified.map { .user($0) } }
  }

  package func pageRequest(for query: TimelineQuery) -> ClientRequest {
    let (address, selection) = timelineAddress(for: query)
    let count = min(max(query.count, 1), TwitterTimelines.pageSize)
    var parameters = [
      Parameter("count", "\(count)"), Parameter("tweet_mode", "extended"), Parameter("include_entities", "true"),
    ]
    parameters += selection
    if let since = query.since { parameters.append(Parameter("since_id", since.id.text)) }
    if let older = query.older { parameters.append(Parameter("max_id", older.text)) }
    // HTTP does not allow this tag, so it cannot be the page's: the whole page is requested.
    let headers: HeaderFields = query.etag.flatMap { FieldValue($0) }.map { ["If-None-Match": $0] } ?? [:]
    return .get(address, query: parameters, headers: headers)
  }

  package func page(from response: ProviderResponse, for query: TimelineQuery) throws(ProviderFailure) -> PageResponse {
    if response.status == 304, query.etag != nil { return .notModified }
    let page = try value(.array, in: response, expected: "a timeline") { cursor in
      try TwitterPage(&cursor, permalink: permalink)
    }
    guard let result = page.page(for: query) else {
      throw .unreadable("None of the \(page.skipped) posts in the response could be read.")
    }
    // GNU social lets clients page through a whole timeline.
    let reach = page.isFromGNUSocial ? Int.max : nil
    return .page(
      PageResponse.Fetched(page: result, skipped: page.skipped, etag: response.header("etag"), reach: reach))
  }

  package func revocationRequest() -> ClientRequest? { addresses.oauth.invalidateToken.map { .post($0) } }
}
