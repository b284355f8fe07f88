internal import Providers
internal import Scheduling
internal import Storage
internal import Time

/// When an account reads and sets the read marks that the user's clients share. Belongs to the account's queue.
///
/// Nothing of this is stored: after a restart, the server's own times keep the pause between two settings.
final class ReadMarkSync {
  /// The minimum time between two requests for the marks, and between two requests that set them.
  static let pause = Duration.seconds(60)
  /// The pause after the server has answered that it does not keep read marks. It doubles with each such answer, up to `longestPause`.
  private static let firstPause = Duration.seconds(3600)
  private static let longestPause = Duration.seconds(86_400)

  private var readAt: Timestamp?
  private var setAt: Timestamp?
  /// The number of consecutive answers that the server does not keep read marks, and the time of the next request after them.
  private var refusals = 0
  private var restsUntil: Timestamp?
  /// The token that the server does not allow to set marks; `nil` if none is known.
  private var refusedToken: BearerToken?
  private var remark: String?
  private var lastRemark: String?

  /// Forgets what was known of the server, because it may be another one, or the user may have solved the problem.
  func settingsWereChanged() {
    (refusals, restsUntil, refusedToken, remark, lastRemark) = (0, nil, nil, nil, nil)
  }

  // MARK: Reading

  /// Returns whether the marks may be requested now. If so, they count as requested.
  /// - Parameter isAwaited: whether a user is waiting for the refresh.
  func mayRead(isAwaited: Bool, at now: Timestamp) -> Bool {
    if let restsUntil, now < restsUntil, restsUntil - now <= Self.longestPause { return false }
    guard isAwaited || Self.hasPassed(readAt, at: now) else { return false }
    readAt = now
    return true
  }

  func wereRead() { (refusals, restsUntil) = (0, nil) }

  /// Records that the server does not keep read marks.
  func areNotKept(at now: Timestamp) {
    restsUntil = now + min(Self.firstPause * (1 << min(refusals, 5)), Self.longestPause)
    refusals += 1
  }

  // MARK: Setting

  /// Returns whether marks may be set now. If so, they count as set.
  /// - Parameter last: when another client last set one of them; `nil` if this is not known.
  func maySet(after last: Timestamp?, at now: Timestamp) -> Bool {
    guard Self.hasPassed(setAt, at: now), Self.hasPassed(last, at: now) else { return false }
    setAt = now
    return true
  }

  func wasRefused(_ token: BearerToken?) { refusedToken = token }

  func hasRefused(_ token: BearerToken?) -> Bool { refusedToken != nil && refusedToken == token }

  /// Returns whether the pause after a time has passed. A time in the future shows that a clock was set, and does not matter.
  private static func hasPassed(_ last: Timestamp?, at now: Timestamp) -> Bool {
    last.map { now - $0 >= pause || $0 > now } ?? true
  }

  // MARK: The remark

  /// Sets what the user should know; `nil` if there is nothing.
  func note(_ remark: String?) {
    guard remark != lastRemark else { return }
    (self.remark, lastRemark) = (remark, remark)
  }

  /// Returns what the user should know, once.
  func takeRemark() -> [String] {
    defer { remark = nil }
    return remark.map { [$0] } ?? []
  }
}
