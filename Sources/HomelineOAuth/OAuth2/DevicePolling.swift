/// When to ask the token endpoint again while the user decides on another device (RFC 8628 §3.5).
///
/// It knows no clock: whoever uses it waits ``interval`` before the first question, and gives up ``expiresIn`` seconds
/// after the device authorisation.
public struct DevicePolling: Sendable, Hashable {
  /// What comes next.
  public enum Step: Sendable, Hashable {
    /// Ask again after so many seconds.
    case wait(seconds: Int64)
    /// The user has agreed.
    case authorised(AccessTokenResponse)
    /// It is over: `access_denied`, `expired_token`, or another refusal.
    case ended(OAuth2Refusal)
  }

  /// Seconds after which the codes are worthless.
  public let expiresIn: Int64
  /// Seconds between two questions.
  public private(set) var interval: Int64
  private var unanswered = 0

  /// Begins with what the server asks for.
  public init(_ response: DeviceAuthorizationResponse) {
    expiresIn = response.expiresIn
    interval = response.interval
  }

  /// Takes what came of a question, nil when nothing did.
  ///
  /// Without an answer, and with one that is none, the pause doubles from question to question, up to a minute.
  public mutating func next(after result: Result<AccessTokenResponse, OAuth2AnswerError>?) -> Step {
    switch result {
    case .success(let response)?: return .authorised(response)
    case .failure(.refused(let refusal))? where refusal.code == "authorization_pending": break
    case .failure(.refused(let refusal))? where refusal.code == "slow_down":
      // For this and all later questions.
      interval += 5
    case .failure(.refused(let refusal))? where !Self.isPassing(refusal): return .ended(refusal)
    case .failure?, nil:
      unanswered += 1
      return .wait(seconds: pause)
    }
    unanswered = 0
    return .wait(seconds: interval)
  }

  private var pause: Int64 {
    min(interval << min(unanswered, 6), max(60, 2 * interval))
  }

  /// A server in trouble says nothing about the user's decision.
  private static func isPassing(_ refusal: OAuth2Refusal) -> Bool {
    refusal.status >= 500 || refusal.status == 429
      || ["temporarily_unavailable", "server_error"].contains(refusal.code)
  }
}
