internal import HomelineOAuth
internal import Providers
internal import Settings
internal import Timeline
internal import Transport

/// The requests of one login, signed with the keys that it began with, and their answers as events. Belongs to the account's queue.
struct LoginLegs {
  typealias Completion = (LoginFlow.Event) -> Void

  /// By what the login goes on, whatever a reload changes.
  private let means: AccountMeans
  private let client: ClientCredentials
  private let caller: SignedCaller

  /// - Throws: when the keys cannot be had.
  init(of account: Account) throws(Failure) {
    means = account.means
    client = try means.keys.get()
    caller = account.caller
  }

  /// Asks for a request token (RFC 5849 §2.1).
  func askForTemporaryCredentials(callback: RequestURL?, completion: @escaping Completion) {
    let request = TemporaryCredentialsRequest(
      endpoint: means.provider.endpoints.requestToken, callback: callback.map { .url($0) } ?? .outOfBand)
    let requiresConfirmation = means.settings.requiresCallbackConfirmation
    caller.call({ ClientRequest(try request.signed(by: client, method: method, stamp: $0)) }) { result in
      completion(
        Self.event(result, "request_token") { answer throws(AnswerError) in
          .issued(try TemporaryCredentialsResponse(answer, requireCallbackConfirmation: requiresConfirmation))
        })
    }
  }

  /// Where the user is sent with it (§2.2).
  func authorizationURL(for issued: TemporaryCredentials) throws(RequestURLError) -> RequestURL {
    try issued.authorizationURL(at: means.provider.endpoints.authorize)
  }

  /// Exchanges it for an access token (§2.3).
  func exchange(_ issued: TemporaryCredentials, _ verifier: Secret, completion: @escaping Completion) {
    let request = TokenRequest(endpoint: means.provider.endpoints.accessToken, temporary: issued, verifier: verifier)
    caller.call({ ClientRequest(try request.signed(by: client, method: method, stamp: $0)) }) { result in
      completion(
        Self.event(result, "access_token") { answer throws(AnswerError) in .exchanged(try TokenResponse(answer)) })
    }
  }

  /// Asks whose token it is.
  func confirm(_ credentials: TokenCredentials, completion: @escaping Completion) {
    let signer = Signer(client: client, token: .token(credentials), method: method)
    let request = means.provider.userRequest()
    caller.call({ try ClientRequest(request, signedBy: signer, stamp: $0) }) { [provider = means.provider] result in
      switch result {
      case .failure(let failure): completion(.failed(failure))
      case .success(let answer):
        do throws(ProviderError) { completion(.confirmed(try provider.user(from: answer))) } catch {
          let failure = Failure(error.problem)
          completion(
            .failed(Failure(failure.kind, "the provider does not say whose token it gave: \(failure.message)")))
        }
      }
    }
  }

  private var method: SignatureMethod { means.settings.signatureMethod }

  private static func event(
    _ result: Result<ProviderAnswer, Failure>, _ leg: String,
    _ read: (Answer) throws(AnswerError) -> LoginFlow.Event
  ) -> LoginFlow.Event {
    switch result {
    case .failure(let failure): return .failed(failure)
    case .success(let answer):
      do throws(AnswerError) { return try read(Answer(answer)) } catch { return .failed(Failure(error, leg)) }
    }
  }
}
