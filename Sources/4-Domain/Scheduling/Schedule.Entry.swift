internal import Settings
internal import Time

extension Schedule {
  /// One account: its planned work, and its running work.
  struct Entry: Sendable {
    var member: Member
    /// The scheduled times. They are never before the floors.
    private(set) var moments: WorkTimes
    /// For each kind of work, the earliest time when it may start again after a recent start.
    private var floors = WorkTimes(due: nil)
    /// The running work. An account's queue runs one job at a time.
    var running: Work?
    /// The time when the user requested a refresh.
    var wish: Timestamp?
    /// The time when the account's last refresh began.
    var refreshedAt: Timestamp?

    init(member: Member, moments: WorkTimes, refreshedAt: Timestamp?) {
      self.member = member
      self.moments = moments
      self.refreshedAt = refreshedAt
    }

    /// Plans the next work.
    package mutating func plan(_ next: WorkTimes) { moments = next.raised(to: floors) }

    /// Plans a token renewal, or none.
    package mutating func plan(renewal: Timestamp?) {
      plan(WorkTimes(due: moments.due, filling: moments.filling, renewal: renewal))
    }

    /// Postpones the work that is due at a given time.
    mutating func postpone(whatIsDueAt moment: Timestamp, to later: Timestamp) {
      moments.postpone(whatIsDueAt: moment, to: later)
    }

    /// Changes the account's settings. If the server or application has changed, the new one has received no requests yet, so the floors
    /// are removed.
    mutating func become(_ member: Member) {
      if self.member.host != member.host || self.member.application != member.application {
        floors = WorkTimes(due: nil)
      }
      self.member = member
    }

    /// Starts work. For some time afterwards, the schedule starts no more work of this kind, whether the started work succeeds or fails.
    package mutating func begin(_ work: Work, at now: Timestamp) {
      running = work
      raiseFloors(Pacing(interval: member.interval).next(after: .started, of: work, now: now))
      guard work == .user || work == .refresh else { return }
      wish = nil
      refreshedAt = now
    }

    /// Postpones the next starts after work has started or failed.
    mutating func raiseFloors(_ decision: Pacing.Decision) {
      for moment in [\WorkTimes.due, \.filling, \.renewal] {
        if let floor = decision.floors[keyPath: moment] { floors.raise(moment, to: floor) }
      }
    }

    /// The planned work, in order of priority.
    var waiting: [(Work, Timestamp)] {
      [(Work.user, wish), (.renew, moments.renewal), (.refresh, moments.due), (.fill, moments.filling)].compactMap {
        work, moment in moment.map { (work, $0) }
      }
    }

    /// The earliest time of the planned work.
    var first: Timestamp? {
      var first = wish
      if let due = moments.due { first = first.map { min($0, due) } ?? due }
      if let renewal = moments.renewal { first = first.map { min($0, renewal) } ?? renewal }
      if let filling = moments.filling { first = first.map { min($0, filling) } ?? filling }
      return first
    }

    mutating func shift(by duration: Duration) {
      moments.shift(by: duration)
      floors.shift(by: duration)
      wish = wish.map { $0 + duration }
      refreshedAt = refreshedAt.map { $0 + duration }
    }
  }
}

extension Schedule {
  /// Work that is due. Candidates are sorted by start order.
  struct Candidate: Comparable {
    let account: AccountName
    let work: Work
    /// The time when the work was due.
    let since: Timestamp
    /// The time when the account was last refreshed.
    let refreshedAt: Timestamp?

    /// Orders candidates. Of the accounts due for a refresh, the one with the oldest last refresh goes first. Thus neither its interval nor
    /// a time derived from a shared window gives an account a larger share of scarce requests.
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
