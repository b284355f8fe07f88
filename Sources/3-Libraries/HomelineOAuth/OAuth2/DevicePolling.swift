/// Decides when to poll the token endpoint while the user authorises the application on another device (RFC 8628 §3.5).
///
/// This type has no clock. The caller waits ``interval`` before the first request and gives up ``expiresIn`` seconds after the
/// device authorisation.
public struct DevicePolling: Sendable, Hashable {
  /// The next step.
  public enum Step: Sendable, Hashable {
    /// Poll again after this many seconds.
    case wait(seconds: Int64)
    /// The user has granted access.
    case authorised(AccessTokenResponse)
    /// The login has ended with an error, such as `access_denied` or `expired_token`.
    case ended(OAuth2EndpointError)
  }

  /// The lifetime of the codes in seconds.
  public let expiresIn: Int64
  /// The polling interval in seconds.
  public private(set) var interval: Int64
  private var unanswered = 0

  /// Starts polling with the values from the response.
  public init(_ response: DeviceAuthorizationResponse) {
    expiresIn = response.expiresIn
    interval = response.interval
  }

  /// Returns the next step after a request. A nil result means that no response arrived.
  ///
  /// Without a valid response, the pause doubles with each request, up to a minute.
  public mutating func next(after result: Result<AccessTokenResponse, OAuth2ResponseError>?) -> Step {
    switch result {
    case .success(let response)?: return .authorised(response)
    case .failure(.refused(let error))? where error.code == "authorization_pending": break
    case .failure(.refused(let error))? where error.code == "slow_down":
      // The longer interval applies to all later requests.
      interval += 5
    case .failure(.refused(let error))? where !Self.isTemporary(error): return .ended(error)
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

  /// Returns whether an error concerns the server rather than the user's decision.
  private static func isTemporary(_ error: OAuth2EndpointError) -> Bool {
    error.status >= 500 || error.status == 429
      || ["temporarily_unavailable", "server_error"].contains(error.code)
  }
}
