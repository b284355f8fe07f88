package import Time

/// The cost reserved for a response before its request is sent. When the response arrives, the actual cost replaces it. If no response
/// arrives, the reserved amount counts as spent.
package struct Reservation: Sendable, Hashable {
  package let day: CivilDay
  package let posts: Int
  /// The reserved amount in millionths of a US dollar.
  package let microUSD: Int64

  package init(day: CivilDay, posts: Int, microUSD: Int64) {
    self.day = day
    self.posts = posts
    self.microUSD = microUSD
  }
}
