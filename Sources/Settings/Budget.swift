/// What an account may spend where reading costs money; each `nil` for no limit. Days and months are those of UTC.
package struct Budget: Sendable, Hashable {
  /// How many posts may be delivered on a day, those that come along included.
  package var postsPerDay: Int?
  /// In millionths of a US dollar.
  package var microUSDPerDay: Int64?
  /// In millionths of a US dollar.
  package var microUSDPerMonth: Int64?

  package init(postsPerDay: Int? = nil, microUSDPerDay: Int64? = nil, microUSDPerMonth: Int64? = nil) {
    self.postsPerDay = postsPerDay
    self.microUSDPerDay = microUSDPerDay
    self.microUSDPerMonth = microUSDPerMonth
  }
}
