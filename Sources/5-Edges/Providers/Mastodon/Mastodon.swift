package import Bytes
internal import HTTP
package import HTTPClient
internal import HomelineOAuth
internal import JSON
internal import Posting
package import Timeline

/// Mastodon's API, which is also supported by GoToSocial, Pleroma, Akkoma, snac and other servers.
package struct Mastodon: Provider {
  package static let name = "mastodon"

  package let authorization: ProviderAuthorization
  let place: MastodonServer

  package let traits = ProviderTraits()

  /// Creates the provider; `nil` without a server, or for an unencrypted connection over the network.
  package init?(at place: ProviderLocation) throws(RequestURLError) {
    guard let base = place.base, let server = try MastodonServer(base) else { return nil }
    self.place = server
    authorization = .oauth2(
      OAuth2Profile(
        mastodon: server, issuer: place.issuer,
        scopes: place.scopes ?? APIScopes.mastodon.reading(place.timelines, for: place.uses)))
  }

  package var server: String { place.origin }

  package var host: String { place.origin }

  package func userRequest() -> ClientRequest? {
    .get(place.endpoint("/api/v1/accounts/verify_credentials"), query: [])
  }

  package func userStep(after response: ProviderResponse) throws(ProviderFailure) -> UserStep {
    if case .habit(let habit) = origin(of: response), habit.meaning == .unknownToken {
      throw .needsLogin(
        "The server returned status \(response.status) without an explanation, which means that it does not recognise the token. Log in again."
      )
    }
    return try read(response, .object, expected: "a user") { cursor in
      try MastodonAccount(&cursor).identified.map { .user($0) }
    }
  }

  /// Without a cursor, requests the page just above `since` (`min_id`). With a cursor, requests the page just below the cursor
  /// (`max_id`), without posts up to `since` (`since_id`): `min_id` would begin at the lower end of the gap.
  ///
  /// If ids are not ordered, the page is requested without a lower bound and overlaps the known posts. With a bound, which newer versions of
  /// snac honour, it would end just above the known post, and the response would not show that this post was reached.
  package func pageRequest(for query: TimelineQuery) -> ClientRequest {
    var parameters = [Parameter("limit", "\(min(max(query.count, 1), MastodonTimelines.pageSize))")]
    if let older = query.older {
      parameters.append(Parameter("max_id", MarkedPosition(older)?.link ?? older.text))
    }
    // The server's ids of the user's marks are not those of the posts, so a post is no bound.
    if let since = query.since, traits(of: query.timeline)?.order == .byID, MastodonID.key(of: since.id.text) != nil {
      parameters.append(Parameter(query.older == nil ? "min_id" : "since_id", since.id.text))
    }
    parameters += MastodonTimelines.selection(of: query.timeline.kind)
    return .get(place.endpoint(MastodonTimelines.path(of: query)), query: parameters)
  }

  package func page(from response: ProviderResponse, for query: TimelineQuery) throws(ProviderFailure) -> PageResponse {
    switch query.timeline.kind {
    case .home, .list, .tag, .user:
      return .page(try timeline(of: MastodonStatus.self, in: response).fetched(for: query, circumstances(of: response)))
    case .notifications, .mentions:
      let page = try timeline(of: MastodonNotification.self, in: response)
      return .page(try page.fetched(for: query, circumstances(of: response)))
    case .bookmarks, .likes:
      let links = walkLinks(in: response, path: MastodonTimelines.path(of: query))
      let page = try timeline(of: MastodonStatus.self, in: response)
      return .page(try page.walked(for: query, at: response.receivedAt, links))
    }
  }

  private func timeline<Item: MastodonItem>(
    of _: Item.Type, in response: ProviderResponse
  ) throws(ProviderFailure) -> MastodonPage<Item> {
    try read(response, .array, expected: "a timeline") { cursor in try MastodonPage(&cursor) }
  }

  private func circumstances(of response: ProviderResponse) -> MastodonCircumstances {
    MastodonCircumstances(isPartial: response.status == 206, pagesForward: offersToPageForward(response))
  }

  package func postRequest(for id: PostID) -> ClientRequest? {
    guard Self.isPlainID(id.text) else { return nil }
    return .get(place.endpoint("/api/v1/statuses/\(id.text)"), query: [])
  }

  package func presence(of id: PostID, from response: ProviderResponse) -> PostPresence {
    switch look(from: response, at: id.text) {
    case .seen: .present
    case .gone: .gone
    case .unclear: .unknown
    }
  }

  /// Only GoToSocial's ids are ULIDs, and GoToSocial counts by address.
  package func countsByAddress(_ id: PostID) -> Bool { MastodonID.isULID(id.text) }

  package var errorFormat: ErrorFormat { .error }

  package var habits: [ServerHabit] { ServerHabit.mastodon }

  package var scopePhrases: [String] { MastodonRefusal.scopePhrases }

  package func refusal(in response: ProviderResponse) -> ProviderFailure? {
    MastodonRefusal(response: response, server: server).failure
  }

  package func registrationRequest(redirect: String, scopes: [String]) -> ClientRequest? {
    MastodonRegistration.request(at: place, redirect: redirect, scopes: scopes)
  }

  package func registration(from response: ProviderResponse) throws(ProviderFailure) -> ClientRegistration {
    try MastodonRegistration.result(of: response)
  }

  /// Returns whether the server's link to newer posts uses `min_id`. A link to a different server is ignored.
  private func offersToPageForward(_ response: ProviderResponse) -> Bool {
    guard let target = response.header("link").flatMap({ LinkHeader($0).target(of: "prev") }),
      let url = try? RequestURL(target), url.origin == server
    else { return false }
    return url.query?.split(separator: "&").contains { $0.hasPrefix("min_id=") } ?? false
  }

  /// Returns whether an id can be used in a path. Other characters could change the address.
  static func isPlainID(_ id: String) -> Bool {
    (1...64).contains(id.utf8.count) && id.utf8.allSatisfy { charactersOfIDs.contains($0) }
  }

  private static let charactersOfIDs = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// Reads a response that contains one value.
  func read<Value>(
    _ response: ProviderResponse, _ kind: JSONCursor.Kind, expected: String,
    _ body: (inout JSONCursor) throws -> Value?
  ) throws(ProviderFailure) -> Value {
    try value(kind, in: response, expected: expected, body)
  }
}
