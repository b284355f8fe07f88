package import HomelineOAuth
package import Timeline

/// A server whose home timeline is read with OAuth 1.0a: its addresses, its limits, and its JSON made into posts.
///
/// Everything is a pure step: a request to sign and send comes out, an answer goes in.
package protocol Provider: Sendable {
  /// Its name in the configuration.
  static var name: String { get }

  /// Where it is asked.
  /// - Parameter base: where its paths hang; `nil` for its own server.
  /// - Returns: `nil` when it has no server of its own and none is given.
  static func endpoints(at base: RequestURL?) throws(RequestURLError) -> Endpoints?

  init(endpoints: Endpoints)

  var endpoints: Endpoints { get }
  var traits: ProviderTraits { get }

  /// Which server this is: with a user's id it identifies an account, so it stays the same from run to run.
  var server: String { get }

  /// Asks whose token it is.
  func userRequest() -> ProviderRequest

  /// Reads the answer to `userRequest()`.
  func user(from answer: ProviderAnswer) throws(ProviderError) -> User

  /// Asks for posts.
  func pageRequest(for query: TimelineQuery) -> ProviderRequest

  /// Reads the answer to `pageRequest(for:)` with the same query.
  func page(from answer: ProviderAnswer, for query: TimelineQuery) throws(ProviderError) -> PageAnswer

  /// Asks the provider to forget the token; `nil` where it cannot be asked. `judge(_:)` says whether it did.
  func revocationRequest() -> ProviderRequest?

  /// What the answer says about further requests, whatever its status; `nil` when it says nothing.
  func rateLimit(from answer: ProviderAnswer) -> RateLimit?

  /// What a refusal means; `nil` for an answer that is none. It is told by the body rather than by the status.
  func judge(_ answer: ProviderAnswer) -> Verdict?
}

extension Provider {
  package var name: String { Self.name }

  package func rateLimit(from answer: ProviderAnswer) -> RateLimit? { answer.rateLimit }

  package func judge(_ answer: ProviderAnswer) -> Verdict? { Verdict(answer) }
}
