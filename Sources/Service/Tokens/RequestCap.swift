package import Platform

/// The last line of defence of a provider: at most so many requests of an account in any minute, whatever the schedule, a retry or a
/// user asks for. Nothing that works as it should comes near it.
///
/// Outlives reloads of the configuration. Belongs to the account's queue.
package final class RequestCap {
  private static let window = Duration.seconds(60)

  /// Stands still for nobody: the wall clock could be set back.
  private let clock: @Sendable () -> BootInstant
  /// When the last requests were sent, oldest first; never more than the cap of them.
  private var sent: [BootInstant] = []
  private var isOpen = true

  package init(clock: @escaping @Sendable () -> BootInstant) { self.clock = clock }

  /// Whether a request may be sent.
  enum Permission: Equatable {
    /// It is counted.
    case granted
    /// Not for so long.
    /// - Parameter isFirst: whether the request before was sent.
    case refused(wait: Duration, isFirst: Bool)
  }

  /// Counts a request, if there may be one more.
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
