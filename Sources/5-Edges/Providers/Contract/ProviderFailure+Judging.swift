internal import HomelineOAuth
internal import Time
internal import Timeline

extension ProviderFailure {
  /// Determines the meaning of a response; `nil` if it is not a refusal.
  init?(_ response: ProviderResponse) {
    guard let refusal = OAuth.ProviderError(response.oauth, expecting: "JSON") else { return nil }
    self.init(refusal, RefusalAdvice(ofAPI: refusal), in: response)
  }

  /// Determines the meaning of a refusal from its status alone, for an API that does not use the error numbers and the phrases of OAuth 1.0a
  /// servers; `nil` for a status whose meaning differs between APIs.
  init?(passingBy refusal: OAuth.ProviderError, in response: ProviderResponse) {
    guard let advice = RefusalAdvice.byStatusOfAnySender(response.status) else { return nil }
    self.init(refusal, advice, in: response)
  }

  private init(_ refusal: OAuth.ProviderError, _ advice: RefusalAdvice, in response: ProviderResponse) {
    let message = advice.added(to: refusal.description)
    switch advice.kind {
    case .needsLogin: self = .needsLogin(message)
    case .limit: self = .rateLimited(message, until: response.limitEnd)
    case .paused: self = .paused(message, until: Self.pauseEnd(of: response))
    case .closed: self = .closed(message)
    case .locked: self = .locked(message)
    case .transient: self = .transient(message, until: response.retryAfter)
    case .refused where refusal.code == 44: self = .sinceRefused(message)
    case .refused: self = .refused(message)
    case .clock:
      let stated = refusal.serverTime.map { Timestamp(seconds: $0) }
      self = .clock(message, serverTime: response.serverTime ?? stated)
    // Servers that check the timestamp together with the nonce may mention only one of them.
    case .nonce: self = Self.wrongTime(in: response, message) ?? .nonceUsed(message)
    case .configuration:
      // Servers also report 'could not authenticate' when they refuse the timestamp.
      if let clock = Self.wrongClock(in: response, message) { self = clock } else { self = .configuration(message) }
    }
  }

  private static func wrongClock(in response: ProviderResponse, _ message: String) -> ProviderFailure? {
    response.status == 401 ? wrongTime(in: response, message) : nil
  }

  /// Returns the meaning of a refusal if the request's time differs from the server's time; otherwise `nil`.
  static func wrongTime(in response: ProviderResponse, _ message: String) -> ProviderFailure? {
    guard let serverTime = response.serverTime else { return nil }
    let difference = serverTime - response.signedAt
    guard max(difference, .zero - difference) > .seconds(Int64(ClockOffset.tolerance)) else { return nil }
    return .clock(message, serverTime: serverTime)
  }

  /// The minimum pause after a demand for payment. The response does not say when there will be credit again.
  private static let pause = Duration.seconds(3600)

  private static func pauseEnd(of response: ProviderResponse) -> Timestamp {
    max(response.retryAfter ?? response.receivedAt, response.receivedAt + pause)
  }
}
