internal import CivilTime
internal import Settings

extension Schedule {
  /// Work whose moment has come, in the order in which it is begun.
  struct Candidate: Comparable {
    let account: AccountName
    let work: Work
    /// When it was due.
    let since: Timestamp
    let startedAt: Timestamp?

    static func < (left: Candidate, right: Candidate) -> Bool {
      if left.work != right.work { return left.work < right.work }
      if left.since != right.since { return left.since < right.since }
      if left.startedAt != right.startedAt {
        guard let earlier = left.startedAt else { return true }
        return right.startedAt.map { earlier < $0 } ?? false
      }
      return left.account < right.account
    }
  }
}

extension Schedule.Entry {
  /// What the account waits for, the first first.
  var waiting: [(Work, Timestamp)] {
    [(Work.user, wish), (.refresh, moments.due), (.fill, moments.filling)].compactMap { work, moment in
      moment.map { (work, $0) }
    }
  }

  mutating func shift(by duration: Duration) {
    moments.due = moments.due.map { $0 + duration }
    moments.filling = moments.filling.map { $0 + duration }
    wish = wish.map { $0 + duration }
    startedAt = startedAt.map { $0 + duration }
  }
}
