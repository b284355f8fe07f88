package import Platform

/// A limit on an account's requests per minute, which protects the provider if this program has a bug. It counts scheduled requests,
/// retries and the user's own requests. A correct program never gets close to it.
///
/// Outlives configuration reloads. Belongs to the account's queue.
package final class RequestCap {
  private static let window = Duration.seconds(60)

  /// A clock that cannot be set, because the wall clock could be set back.
  private let clock: @Sendable () -> BootInstant
  /// The times of the last requests, oldest first; at most as many as the cap allows.
  private var sent: [BootInstant] = []
  private var isOpen = true

  package init(clock: @escaping @Sendable () -> BootInstant) { self.clock = clock }

  /// Whether a request may be sent.
  enum Permission: Equatable {
    /// The request may be sent, and counts towards the limit.
    case granted
    /// The request must wait.
    /// - Parameter isFirst: whether the previous request was sent.
    case refused(wait: Duration, isFirst: Bool)
  }

  /// Decides whether a request may be sent and, if so, counts it towards the limit.
  func ask(atMost perMinute: Int) -> Permission {
    let now = clock()
    sent.removeAll { now - $0 >= Self.window }
    guard sent.count >= perMinute else {
      sent.append(now)
      isOpen = true
      return .granted
    }
    defer { isOpen = false }
    return .refused(wait: Self.window - (now - sent[sent.count - perMinute]), isFirst: isOpen)
  }
}
