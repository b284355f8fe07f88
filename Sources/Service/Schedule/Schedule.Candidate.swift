internal import CivilTime
internal import Settings

extension Schedule {
  /// Work whose moment has come, in the order in which it is begun.
  struct Candidate: Comparable {
    let account: AccountName
    let work: Work
    /// When it was due.
    let since: Timestamp
    /// When the account last had its turn.
    let refreshedAt: Timestamp?

    /// Refreshes go by turns: of those that are due, the one whose last turn is longest ago. So no interval and no moment that
    /// follows from a shared window gives one account more of what is scarce.
    static func < (left: Candidate, right: Candidate) -> Bool {
      if left.work != right.work { return left.work < right.work }
      if left.work == .refresh, left.refreshedAt != right.refreshedAt {
        guard let earlier = left.refreshedAt else { return true }
        return right.refreshedAt.map { earlier < $0 } ?? false
      }
      if left.since != right.since { return left.since < right.since }
      return left.account < right.account
    }
  }
}
