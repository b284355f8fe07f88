package import CivilTime

/// What was put aside for an answer before it was asked for. Whoever gets the answer settles it; nobody's answer leaves it spent.
package struct Reservation: Sendable, Hashable {
  package let day: CivilDay
  package let posts: Int
  /// In millionths of a US dollar.
  package let microUSD: Int64

  package init(day: CivilDay, posts: Int, microUSD: Int64) {
    self.day = day
    self.posts = posts
    self.microUSD = microUSD
  }
}
