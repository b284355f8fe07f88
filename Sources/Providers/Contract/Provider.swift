package import CivilTime
package import HomelineOAuth
package import Timeline

/// A server with a home timeline: its authorisation, its limits, and the conversion of its JSON to posts.
///
/// All members are pure functions: they make requests to sign and send, and read responses.
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

  /// The identity of the server. Together with a user's id, it identifies an account, so it must never change.
  var server: String { get }

  /// The origin of timeline requests: scheme, host and port.
  var host: String { get }

  /// Returns the request for the token's user; `nil` if the provider has none.
  func userRequest() -> ProviderRequest?

  /// Reads the response to `userRequest()`, or to the request that followed it.
  func userStep(after response: ProviderResponse) throws(ProviderError) -> UserStep

  /// Returns the request for a page of posts.
  func pageRequest(for query: TimelineQuery) -> ProviderRequest

  /// Reads the response to `pageRequest(for:)` with the same query.
  func page(from response: ProviderResponse, for query: TimelineQuery) throws(ProviderError) -> PageResponse

  /// Returns the request for a single post, to check whether it still exists; `nil` if the provider has none, or has none for this id.
  func postRequest(for id: PostID) -> ProviderRequest?

  /// Reads the response to `postRequest(for:)`.
  func presence(from response: ProviderResponse) -> PostPresence

  /// Returns the provider's own request to revoke a token, authorised by that token; `nil` if there is none; OAuth 2.0 accounts then
  /// use RFC 7009.
  func revocationRequest() -> ProviderRequest?

  /// Returns the rate limit in the response, regardless of the status; `nil` if the response contains none.
  func rateLimit(from response: ProviderResponse) -> RateLimit?

  /// The formats of the API's errors.
  var errorFormat: ErrorFormat { get }

  /// The server's answers that are not in the API's format.
  var habits: [ServerHabit] { get }

  /// Returns the meaning of a response that the API itself sent; `nil` if it is not a refusal. The body takes precedence over the status.
  /// Everything else has its meaning from ``classify(_:)``.
  func refusal(in response: ProviderResponse) -> ProviderFailure?

  /// Returns the meaning of a failed token request.
  func classifyToken(_ error: OAuth2ResponseError, in response: ProviderResponse) -> TokenFailure

  /// Completes a token request if the provider requires more than RFC 6749.
  func completed(
    _ request: OAuth2FormRequest, of client: OAuth2Client, at now: Timestamp
  ) throws(ProviderError) -> OAuth2FormRequest

  /// Adds the signature to a request if the profile requires that requests are signed with the client's secret.
  /// - Parameter token: the user's token; `nil` if the client's key is sufficient.
  func signed(
    _ request: ProviderRequest, of client: OAuth2Client, token: Secret?, at now: Timestamp
  ) throws(ProviderError) -> ProviderRequest

  /// Returns the form in which a password is sent to the token endpoint.
  func passwordProof(_ password: Secret, of userName: String) throws(ProviderError) -> Secret

  /// Returns the request to register this program for one redirect address; `nil` if users register it themselves.
  /// - Parameter scopes: all scopes that logins will request.
  func registrationRequest(redirect: String, scopes: [String]) -> ProviderRequest?

  /// Reads the response to `registrationRequest(redirect:scopes:)`.
  func registration(from response: ProviderResponse) throws(ProviderError) -> ClientRegistration
}

extension Provider {
  package var name: String { Self.name }

  package func postRequest(for id: PostID) -> ProviderRequest? { nil }

  package func presence(from response: ProviderResponse) -> PostPresence { .unknown }

  package func revocationRequest() -> ProviderRequest? { nil }

  package func rateLimit(from response: ProviderResponse) -> RateLimit? { response.rateLimit }

  package var errorFormat: ErrorFormat { [.error, .oauth1] }

  package var habits: [ServerHabit] { [] }

  package func refusal(in response: ProviderResponse) -> ProviderFailure? { ProviderFailure(response) }

  package func classifyToken(_ error: OAuth2ResponseError, in response: ProviderResponse) -> TokenFailure {
    TokenFailure(error, in: response)
  }

  package func completed(
    _ request: OAuth2FormRequest, of client: OAuth2Client, at now: Timestamp
  ) throws(ProviderError) -> OAuth2FormRequest { request }

  package func signed(
    _ request: ProviderRequest, of client: OAuth2Client, token: Secret?, at now: Timestamp
  ) throws(ProviderError) -> ProviderRequest { request }

  package func passwordProof(_ password: Secret, of userName: String) throws(ProviderError) -> Secret { password }

  package func registrationRequest(redirect: String, scopes: [String]) -> ProviderRequest? { nil }

  package func registration(from response: ProviderResponse) throws(ProviderError) -> ClientRegistration {
    throw .unreadable("This provider does not register clients automatically.")
  }
}

/// The result of a user request.
package enum UserStep: Sendable {
  case user(User)
  /// Another request is needed to identify the user.
  case ask(ProviderRequest)
}

extension Provider {
  /// The only user of a provider that does not identify its users.
  package var anonymousUser: User { User(id: "-", screenName: "unknown", name: "unknown") }
}

/// This program's identity at a server.
package struct ClientRegistration: Sendable, Hashable {
  package let clientID: String
  package let clientSecret: Secret

  package init(clientID: String, clientSecret: Secret) {
    self.clientID = clientID
    self.clientSecret = clientSecret
  }
}
