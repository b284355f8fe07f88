/// An account's spending limits if reading costs money. A limit is `nil` if there is none. Days and months are in UTC.
package struct Budget: Sendable, Hashable {
  /// The number of posts that may be delivered per day, including referenced posts.
  package var postsPerDay: Int?
  /// The limit per day, in millionths of a US dollar.
  package var microUSDPerDay: Int64?
  /// The limit per month, in millionths of a US dollar.
  package var microUSDPerMonth: Int64?

  package init(postsPerDay: Int? = nil, microUSDPerDay: Int64? = nil, microUSDPerMonth: Int64? = nil) {
    self.postsPerDay = postsPerDay
    self.microUSDPerDay = microUSDPerDay
    self.microUSDPerMonth = microUSDPerMonth
  }
}
