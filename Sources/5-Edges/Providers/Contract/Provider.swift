package import Bytes
package import HTTPClient
package import HomelineOAuth
package import Time
package import Timeline

/// A server with a home timeline: its authorisation, its limits, and the conversion of its JSON to posts.
///
/// All members are pure functions: they create requests to sign and send, and read responses.
package protocol Provider: Sendable {
  /// The provider's name in the configuration.
  static var name: String { get }

  /// The account's provider in the configuration. One type can have several names.
  var name: String { get }

  /// Creates the provider; `nil` if neither the provider nor the account specifies a server, or the provider does not support the
  /// protocol.
  init?(at place: ProviderLocation) throws(RequestURLError)

  var authorization: ProviderAuthorization { get }
  var traits: ProviderTraits { get }

  /// Returns the properties of a timeline; `nil` if the provider does not offer it. A provider without a home timeline only issues tokens.
  func traits(of timeline: TimelineName) -> TimelineTraits?

  /// The identity of the server. Together with a user's id, it identifies an account, so it must never change.
  var server: String { get }

  /// The origin of timeline requests: scheme, host and port.
  var host: String { get }

  /// Returns the request for the token's user; `nil` if the provider has none.
  func userRequest() -> ClientRequest?

  /// Reads the response to `userRequest()`, or to the request that followed it.
  func userStep(after response: ProviderResponse) throws(ProviderFailure) -> UserStep

  /// Returns the request for the server's name of a timeline, such as a list's id; `nil` if the timeline's own name is sufficient.
  func referenceRequest(for timeline: TimelineName) -> ClientRequest?

  /// Reads the response to `referenceRequest(for:)` with the same name.
  /// - Throws: `.configuration` if the server has no such timeline, or several.
  func reference(to timeline: TimelineName, from response: ProviderResponse) throws(ProviderFailure) -> String

  /// Returns the request for a page of a timeline that the provider offers.
  func pageRequest(for query: TimelineQuery) -> ClientRequest

  /// Reads the response to `pageRequest(for:)` with the same query.
  func page(from response: ProviderResponse, for query: TimelineQuery) throws(ProviderFailure) -> PageResponse

  /// Returns the request for a single post, to check whether it still exists; `nil` if the provider does not support this, or not for this
  /// id.
  func postRequest(for id: PostID) -> ClientRequest?

  /// Reads the response to `postRequest(for:)`. A response about another post proves nothing.
  func presence(of id: PostID, from response: ProviderResponse) -> PostPresence

  /// Returns the provider's own revocation request, which the token itself authorises; `nil` if the provider has none. OAuth 2.0 accounts
  /// then use RFC 7009.
  func revocationRequest() -> ClientRequest?

  /// Returns the rate limit in the response, regardless of the status; `nil` if the response contains none.
  func rateLimit(from response: ProviderResponse) -> RateLimit?

  /// Returns whether the server counts all requests from an IP address together, and not those of each token.
  /// - Parameter id: the id of one of its posts, which can show the server's software.
  func countsByAddress(_ id: PostID) -> Bool

  /// The formats of the API's errors.
  var errorFormat: ErrorFormat { get }

  /// The server's answers that are not in the API's format.
  var habits: [ServerHabit] { get }

  /// Phrases, in lower case, of the API's errors about a token without the scope that the request needs.
  var scopePhrases: [String] { get }

  /// Returns the meaning of a response that the API itself sent; `nil` if it is not a refusal. The body takes precedence over the status.
  /// ``classify(_:)`` determines the meaning of everything else.
  func refusal(in response: ProviderResponse) -> ProviderFailure?

  /// Returns the meaning of a failed token request, one of the meanings in ``ProviderFailure/init(_:in:)``.
  func classifyToken(_ error: OAuth2ResponseError, in response: ProviderResponse) -> ProviderFailure

  /// Completes a token request if the provider requires more than RFC 6749.
  func completed(
    _ request: OAuth2FormRequest, of client: OAuth2Client, at now: Timestamp
  ) throws(ProviderFailure) -> OAuth2FormRequest

  /// Adds the signature to a request if the profile requires that requests are signed with the client's secret.
  /// - Parameter token: the user's token; `nil` if the client's key is sufficient.
  func signed(
    _ request: ClientRequest, of client: OAuth2Client, token: Secret?, at now: Timestamp
  ) throws(ProviderFailure) -> ClientRequest

  /// Returns a password in the form that is sent to the token endpoint.
  func passwordProof(_ password: Secret, of userName: String) throws(ProviderFailure) -> Secret

  /// Returns the request to register this program for one redirect address; `nil` if users register it themselves.
  /// - Parameter scopes: all scopes that logins will request.
  func registrationRequest(redirect: String, scopes: [String]) -> ClientRequest?

  /// Reads the response to `registrationRequest(redirect:scopes:)`.
  func registration(from response: ProviderResponse) throws(ProviderFailure) -> ClientRegistration
}

extension Provider {
  package var name: String { Self.name }

  package func traits(of timeline: TimelineName) -> TimelineTraits? { nil }

  /// Whether the provider has a home timeline.
  package var hasTimeline: Bool { traits(of: .home) != nil }

  package func referenceRequest(for timeline: TimelineName) -> ClientRequest? { nil }

  package func reference(
    to timeline: TimelineName, from response: ProviderResponse
  ) throws(ProviderFailure) -> String {
    throw .unreadable("The provider has no other name for “\(timeline)”.")
  }

  package func postRequest(for id: PostID) -> ClientRequest? { nil }

  package func presence(of id: PostID, from response: ProviderResponse) -> PostPresence { .unknown }

  package func revocationRequest() -> ClientRequest? { nil }

  package func rateLimit(from response: ProviderResponse) -> RateLimit? { response.rateLimit }

  package func countsByAddress(_ id: PostID) -> Bool { false }

  package var errorFormat: ErrorFormat { [.error, .oauth1] }

  package var habits: [ServerHabit] { [] }

  package var scopePhrases: [String] { [] }

  package func refusal(in response: ProviderResponse) -> ProviderFailure? { ProviderFailure(response) }

  package func classifyToken(_ error: OAuth2ResponseError, in response: ProviderResponse) -> ProviderFailure {
    ProviderFailure(error, in: response)
  }

  package func completed(
    _ request: OAuth2FormRequest, of client: OAuth2Client, at now: Timestamp
  ) throws(ProviderFailure) -> OAuth2FormRequest { request }

  package func signed(
    _ request: ClientRequest, of client: OAuth2Client, token: Secret?, at now: Timestamp
  ) throws(ProviderFailure) -> ClientRequest { request }

  package func passwordProof(_ password: Secret, of userName: String) throws(ProviderFailure) -> Secret { password }

  package func registrationRequest(redirect: String, scopes: [String]) -> ClientRequest? { nil }

  package func registration(from response: ProviderResponse) throws(ProviderFailure) -> ClientRegistration {
    throw .unreadable("This provider does not register clients automatically.")
  }
}

extension Provider {
  /// The only user of a provider that does not identify its users.
  package var anonymousUser: User { .unknown }
}
