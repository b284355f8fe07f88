package import HomelineOAuth
package import Timeline

/// A server whose home timeline is read: how its users authorise this program, its limits, and its JSON made into posts.
///
/// Everything is a pure step: a request to authorise and send comes out, an answer goes in.
package protocol Provider: Sendable {
  /// Its name in the configuration.
  static var name: String { get }

  /// - Returns: `nil` when it has no server of its own and the place names none, or does not know the place's protocol.
  init?(at place: ProviderPlace) throws(RequestURLError)

  var authorization: ProviderAuthorization { get }
  var traits: ProviderTraits { get }

  /// Which server this is: with a user's id it identifies an account, so it stays the same from run to run.
  var server: String { get }

  /// Whose requests are under way when the timeline is asked for: scheme, host and port.
  var host: String { get }

  /// Asks whose token it is; `nil` where nobody can be asked.
  func userRequest() -> ProviderRequest?

  /// Reads the answer to `userRequest()`, or to the request that followed it.
  func userStep(after answer: ProviderAnswer) throws(ProviderError) -> UserStep

  /// Asks for posts.
  func pageRequest(for query: TimelineQuery) -> ProviderRequest

  /// Reads the answer to `pageRequest(for:)` with the same query.
  func page(from answer: ProviderAnswer, for query: TimelineQuery) throws(ProviderError) -> PageAnswer

  /// Asks for a single post, to learn whether it still exists; `nil` where that cannot be asked, or not for this id.
  func postRequest(for id: PostID) -> ProviderRequest?

  /// Reads the answer to `postRequest(for:)`.
  func presence(from answer: ProviderAnswer) -> PostPresence

  /// Asks the provider to forget the token in a way of its own, authorised by that token; `nil` where there is none. With OAuth 2.0
  /// the standard way (RFC 7009) is then taken. `judge(_:)` says whether it did.
  func revocationRequest() -> ProviderRequest?

  /// What the answer says about further requests, whatever its status; `nil` when it says nothing.
  func rateLimit(from answer: ProviderAnswer) -> RateLimit?

  /// What a refusal means; `nil` for an answer that is none. It is told by the body rather than by the status.
  func judge(_ answer: ProviderAnswer) -> Verdict?

  /// What it means that the token endpoint did not give what was asked for.
  func judgeToken(_ error: OAuth2AnswerError, in answer: ProviderAnswer) -> TokenVerdict

  /// Registers this program with the server, for one redirect address; `nil` where its user does that.
  func registrationRequest(redirect: String) -> ProviderRequest?

  /// Reads the answer to `registrationRequest(redirect:)`.
  func registration(from answer: ProviderAnswer) throws(ProviderError) -> ClientRegistration
}

extension Provider {
  package var name: String { Self.name }

  package func postRequest(for id: PostID) -> ProviderRequest? { nil }

  package func presence(from answer: ProviderAnswer) -> PostPresence { .unknown }

  package func revocationRequest() -> ProviderRequest? { nil }

  package func rateLimit(from answer: ProviderAnswer) -> RateLimit? { answer.rateLimit }

  package func judge(_ answer: ProviderAnswer) -> Verdict? { Verdict(answer) }

  package func judgeToken(_ error: OAuth2AnswerError, in answer: ProviderAnswer) -> TokenVerdict {
    TokenVerdict(error, in: answer)
  }

  package func registrationRequest(redirect: String) -> ProviderRequest? { nil }

  package func registration(from answer: ProviderAnswer) throws(ProviderError) -> ClientRegistration {
    throw .unreadable("This provider registers no clients by itself.")
  }
}

/// How far it is known whose token it is.
package enum UserStep: Sendable {
  case user(User)
  /// It takes another request to know all of it.
  case ask(ProviderRequest)
}

extension Provider {
  /// Whose token it is where nobody can be asked: the one user that a server without names has.
  package var anonymousUser: User { User(id: "-", screenName: "unknown", name: "unknown") }
}

/// Under which id a server knows this program from now on.
package struct ClientRegistration: Sendable, Hashable {
  package let clientID: String
  package let clientSecret: Secret

  package init(clientID: String, clientSecret: Secret) {
    self.clientID = clientID
    self.clientSecret = clientSecret
  }
}
