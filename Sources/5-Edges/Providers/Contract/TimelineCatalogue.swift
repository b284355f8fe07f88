package import HTTPClient
package import Timeline

/// A provider whose server can be asked which timelines it offers to the user besides the home timeline.
///
/// All members are pure functions: they create requests to authorise and send, and read responses.
package protocol TimelineCatalogue: Provider {
  /// Returns the request for the user's lists; `nil` if the provider does not offer lists.
  func listsRequest() -> ClientRequest?

  /// Reads the response to `listsRequest()`.
  func lists(from response: ProviderResponse) throws(ProviderFailure) -> [ServerList]

  /// Returns the request for a page of the hashtags that the user follows; `nil` if the provider does not offer this.
  /// - Parameter cursor: the end of the previous page; `nil` for the first page.
  func followedTagsRequest(after cursor: String?) -> ClientRequest?

  /// Reads the response to `followedTagsRequest(after:)`.
  func followedTags(from response: ProviderResponse) throws(ProviderFailure) -> FollowedTags

  /// The kinds of timelines that the administrators of a server can restrict or switch off.
  var restrictableKinds: Set<TimelineName.Kind> { get }

  /// Returns the request for the server's public description, which names the restricted timelines; `nil` if there is none. It needs no
  /// token.
  func feedAccessRequest() -> ClientRequest?

  /// Reads the response to `feedAccessRequest()`.
  /// - Returns: the restricted kinds; empty if the server does not describe restrictions.
  func feedAccess(from response: ProviderResponse) throws(ProviderFailure) -> [TimelineName.Kind: FeedAccess]
}

extension TimelineCatalogue {
  package func followedTagsRequest(after cursor: String?) -> ClientRequest? { nil }

  package func followedTags(from response: ProviderResponse) throws(ProviderFailure) -> FollowedTags { FollowedTags() }

  package var restrictableKinds: Set<TimelineName.Kind> { [] }

  package func feedAccessRequest() -> ClientRequest? { nil }

  package func feedAccess(
    from response: ProviderResponse
  ) throws(ProviderFailure) -> [TimelineName.Kind: FeedAccess] { [:] }
}

/// A page of the hashtags that the user follows.
package struct FollowedTags: Sendable, Hashable {
  /// The hashtags without `#`.
  package var names: [String] = []
  /// Where the next page begins; `nil` if this is the last page.
  package var next: String?

  package init(names: [String] = [], next: String? = nil) {
    self.names = names
    self.next = next
  }
}
