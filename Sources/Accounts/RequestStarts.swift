package import CivilTime
package import Platform
internal import Publish
internal import Scheduling
package import Storage

/// When an account's provider was asked, as a later process finds it: a service that ends over and over, or is started again and again for
/// one refresh, keeps to the pauses of one that stays.
///
/// Belongs to the account's queue.
package final class RequestStarts {
  private let stored: any StartStorage
  private let wall: WallClock
  private let clock: @Sendable () -> BootInstant
  private let openedAt: BootInstant
  /// How many requests have begun since the last one whose end was stored.
  private var unfinished = 0
  /// Before this moment the schedule starts nothing: a process before this one has ended with its request. `nil` where none has.
  private(set) var earliest: BootInstant?

  package init(_ stored: any StartStorage, wall: WallClock, clock: @escaping @Sendable () -> BootInstant) {
    self.stored = stored
    self.wall = wall
    self.clock = clock
    openedAt = clock()
  }

  /// Learns what a process before has left.
  /// - Parameter askedAt: when a request ended last whose end was stored; `nil` when none has.
  func recover(askedAt: Timestamp?) {
    guard let last = stored.read(), askedAt.map({ $0 < last.wall }) ?? true else { return }
    unfinished = last.unfinished
    if unfinished > 0 {
      earliest = min(last.at, clock()) + Backoff.pause(after: unfinished)
    } else if let next = last.next {
      // Whatever the marker says: what it stands for is stored after about an hour.
      earliest = min(next, clock() + Freshness.replacementInterval)
    }
  }

  /// The earliest moment by the wall clock.
  package var earliestByWall: Timestamp? {
    earliest.map { wall.now + max(.zero, $0 - clock()) }
  }

  /// A request begins.
  /// - Parameters:
  ///   - stays: whether this process has a schedule, which keeps to the pauses without the marker too.
  ///   - interval: the time between two refreshes.
  /// - Throws: where the next process could not know of it, so that it must not be sent. One that stays sends it all the same, once it
  ///   has been there for an interval: whatever a process before has asked, that is long enough ago.
  package func begin(stays: Bool, interval: Duration) throws(StorageError) {
    do throws(StorageError) { try mark(unfinished + 1) } catch {
      guard stays, clock() - openedAt >= max(interval, Backoff.shortest) else { throw error }
    }
    unfinished += 1
  }

  /// A renewal of the token begins. Whether it may be sent is decided by the place for the new token on the disk.
  func beginRenewal() {
    try? mark(unfinished + 1)
    unfinished += 1
  }

  /// What came of the request is stored, with the time of its end.
  package func end() { unfinished = 0 }

  /// The request has brought nothing new, and nothing else tells of it yet.
  /// - Parameter next: when the next one is planned.
  func endQuietly(next: Timestamp?) {
    unfinished = 0
    let next = next.map { clock() + max(.zero, $0 - wall.now) }
    try? stored.write(RequestStart(at: clock(), wall: wall.now, unfinished: 0, next: next))
  }

  /// The renewed token is stored, which says nothing of its time.
  func endRenewal() {
    guard unfinished > 0 else { return }
    unfinished = 0
    try? mark(0)
  }

  private func mark(_ unfinished: Int) throws(StorageError) {
    try stored.write(RequestStart(at: clock(), wall: wall.now, unfinished: unfinished))
  }
}
