package import Bytes
package import HTTPClient
internal import HomelineOAuth
internal import Timeline

/// Any OAuth 1.0a server (RFC 5849), whose token signs other programs' requests. It has no timeline, and its user is unknown.
package struct AnyOAuth1: Provider {
  package static let name = "oauth1"

  private let endpoints: OAuth1Endpoints

  package let traits = ProviderTraits(requestsPerMinute: 30)

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

  package func userRequest() -> ClientRequest? { nil }

  package func userStep(after response: ProviderResponse) throws(ProviderFailure) -> UserStep {
    preconditionFailure("userStep(after:) called on a provider that does not identify users")
  }

  package func pageRequest(for query: TimelineQuery) -> ClientRequest {
    preconditionFailure("pageRequest(for:) called on a provider without a timeline")
  }

  package func page(from response: ProviderResponse, for query: TimelineQuery) throws(ProviderFailure) -> PageResponse {
    preconditionFailure("page(from:for:) called on a provider without a timeline")
  }
}
