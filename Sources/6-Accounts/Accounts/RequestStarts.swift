internal import Formats
package import Platform
internal import Scheduling
package import Storage
package import Time

/// Records when requests to an account's provider started, for later processes. Thus a service that keeps crashing, or is started for
/// single refreshes, waits as long between requests as a service that keeps running.
///
/// Belongs to the account's queue.
package final class RequestStarts {
  private let stored: any StartStorage
  private let wall: WallClock
  private let clock: @Sendable () -> BootInstant
  private let openedAt: BootInstant
  /// The number of requests started since the last request whose result was stored.
  private var unfinished = 0
  /// The schedule starts no request before this time, because an earlier process exited during a request or had planned its next
  /// request; `nil` otherwise.
  private(set) var earliest: BootInstant?

  package init(_ stored: any StartStorage, wall: WallClock, clock: @escaping @Sendable () -> BootInstant) {
    self.stored = stored
    self.wall = wall
    self.clock = clock
    openedAt = clock()
  }

  /// Whether a renewal that an earlier process left without a response may be repeated without a pause. A program that keeps ending during
  /// a renewal must pause before it repeats it.
  var repeatsAtOnce: Bool { unfinished <= 3 }

  /// Reads an earlier process's record.
  /// - Parameter askedAt: the end of the last request whose result was stored; `nil` if there is none.
  func recover(askedAt: Timestamp?) {
    guard let last = stored.read(), askedAt.map({ $0 < last.wall }) ?? true else { return }
    unfinished = last.unfinished
    if unfinished > 0 {
      earliest = min(last.at, clock()) + Backoff.pause(after: unfinished)
    } else if let next = last.next {
      // Limit the marker's value: the marker replaces the stored state for about an hour at most.
      earliest = min(next, clock() + Freshness.replacementInterval)
    }
  }

  /// The earliest time according to the wall clock.
  package var earliestByWall: Timestamp? {
    earliest.map { wall.now + max(.zero, $0 - clock()) }
  }

  /// Records that a request is starting.
  /// - Parameters:
  ///   - stays: whether this process has a schedule, which respects the pauses even without the marker.
  ///   - interval: the time between two refreshes.
  /// - Throws: an error if the start could not be recorded for the next process; the request must then not be sent. A process with a
  ///   schedule ignores such an error once it has run for an interval: earlier processes' requests are then long enough ago.
  package func begin(stays: Bool, interval: Duration) throws(StorageError) {
    do throws(StorageError) { try mark(unfinished + 1) } catch {
      guard stays, clock() - openedAt >= max(interval, Backoff.shortest) else { throw error }
    }
    unfinished += 1
  }

  /// Records that a renewal is starting. Ignores an error, because disk space for the new token is reserved separately before the renewal
  /// request is sent.
  func beginRenewal() {
    try? mark(unfinished + 1)
    unfinished += 1
  }

  /// Records that the request's result is stored, with its end time.
  package func end() { unfinished = 0 }

  /// Records the end of a request that returned nothing new and is not recorded anywhere else yet.
  /// - Parameter next: the planned time of the next request.
  func endQuietly(next: Timestamp?) {
    unfinished = 0
    let next = next.map { clock() + max(.zero, $0 - wall.now) }
    try? stored.write(RequestStart(at: clock(), wall: wall.now, unfinished: 0, next: next))
  }

  /// Records that a renewal has ended. The stored token does not contain this time.
  func endRenewal() {
    guard unfinished > 0 else { return }
    unfinished = 0
    try? mark(0)
  }

  private func mark(_ unfinished: Int) throws(StorageError) {
    try stored.write(RequestStart(at: clock(), wall: wall.now, unfinished: unfinished))
  }
}
