package import HomelineOAuth
internal import Timeline

/// Any OAuth 1.0a server (RFC 5849), whose token signs other programs' requests. It has no timeline, and its user is unknown.
package struct AnyOAuth1: Provider {
  package static let name = "oauth1"

  private let endpoints: OAuth1Endpoints

  package let traits = ProviderTraits(
    pageSize: 1, reach: 1, overlap: .zero, hasTimeline: false,
    requestsPerMinute: 30)

  /// Creates the provider; `nil` unless all three endpoints are configured.
  package init?(at place: ProviderLocation) throws(RequestURLError) {
    guard place.version == .oauth1, let requestToken = place.endpoints[.requestToken],
      let authorize = place.endpoints[.authorize], let accessToken = place.endpoints[.accessToken]
    else { return nil }
    endpoints = OAuth1Endpoints(requestToken: requestToken, authorize: authorize, accessToken: accessToken)
  }

  package var authorization: ProviderAuthorization { .oauth1(endpoints) }

  package var server: String { endpoints.accessToken.origin }

  package var host: String { server }

  package func userRequest() -> ProviderRequest? { nil }

  package func userStep(after response: ProviderResponse) throws(ProviderError) -> UserStep {
    preconditionFailure("a provider that does not identify users was asked for one")
  }

  package func pageRequest(for query: TimelineQuery) -> ProviderRequest {
    preconditionFailure("a provider without a timeline was asked for one")
  }

  package func page(from response: ProviderResponse, for query: TimelineQuery) throws(ProviderError) -> PageResponse {
    preconditionFailure("a provider without a timeline was asked for one")
  }
}
