package import Platform
package import Time

/// A started request.
package struct RequestStart: Sendable, Hashable {
  package let at: BootInstant
  /// The same time according to the wall clock, for comparison with the account's state.
  package let wall: Timestamp
  /// The number of requests, including this one, started since an outcome was last stored.
  package let unfinished: Int
  /// The time of the next scheduled request, if the last request returned nothing new and its end is not stored elsewhere.
  package let next: BootInstant?

  package init(at: BootInstant, wall: Timestamp, unfinished: Int, next: BootInstant? = nil) {
    self.at = at
    self.wall = wall
    self.unfinished = unfinished
    self.next = next
  }
}
