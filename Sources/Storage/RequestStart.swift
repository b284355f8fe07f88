package import CivilTime
package import Platform

/// A request that has begun.
package struct RequestStart: Sendable, Hashable {
  package let at: BootInstant
  /// The same moment by the wall clock, to be compared with the account's state.
  package let wall: Timestamp
  /// How many requests have begun, this one among them, since the last one whose end was stored.
  package let unfinished: Int
  /// When the next one is planned, where the last one has brought nothing new and its end is stored nowhere else.
  package let next: BootInstant?

  package init(at: BootInstant, wall: Timestamp, unfinished: Int, next: BootInstant? = nil) {
    self.at = at
    self.wall = wall
    self.unfinished = unfinished
    self.next = next
  }
}
