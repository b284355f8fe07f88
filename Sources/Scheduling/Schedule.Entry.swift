internal import CivilTime
internal import Settings

extension Schedule {
  /// One account: its planned work, and its running work.
  struct Entry: Sendable {
    var member: Member
    /// The scheduled times, which are never before the floors, whatever code sets them.
    private(set) var moments: Moments
    /// The earliest times at which the schedule starts each kind of work, because work of that kind was started shortly before.
    private var floors = Moments(due: nil)
    /// The running work. An account's queue runs one job at a time.
    var running: Work?
    /// When the user started waiting for a refresh.
    var wish: Timestamp?
    /// When the account's last refresh began.
    var refreshedAt: Timestamp?

    init(member: Member, moments: Moments, refreshedAt: Timestamp?) {
      self.member = member
      self.moments = moments
      self.refreshedAt = refreshedAt
    }

    /// Plans the next work.
    package mutating func plan(_ next: Moments) { moments = next.raised(to: floors) }

    /// Plans a renewal of the token, or none.
    package mutating func plan(renewal: Timestamp?) {
      plan(Moments(due: moments.due, filling: moments.filling, renewal: renewal))
    }

    /// Postpones the work that is due at a given time.
    mutating func postpone(whatIsDueAt moment: Timestamp, to later: Timestamp) {
      moments.postpone(whatIsDueAt: moment, to: later)
    }

    /// Changes the account's settings. Another server or application has not received any requests yet, so the floors no longer apply.
    mutating func become(_ member: Member) {
      if self.member.host != member.host || self.member.application != member.application {
        floors = Moments(due: nil)
      }
      self.member = member
    }

    /// Starts work. For some time, the schedule starts no other work of its kind, whatever the result.
    package mutating func begin(_ work: Work, at now: Timestamp) {
      running = work
      if work == .renew {
        floors.raise(\.renewal, to: now + Backoff.shortest)
      } else {
        floors.raise(\.filling, to: now + Filling.pause)
      }
      guard work == .user || work == .refresh else { return }
      floors.raise(\.due, to: now + min(member.interval, Backoff.shortest))
      wish = nil
      refreshedAt = now
    }

    /// Records a failure. The pauses after it are counted from the end of the work.
    mutating func fail(_ work: Work, at now: Timestamp) {
      let next = now + Backoff.shortest
      if work == .renew {
        floors.raise(\.renewal, to: next)
      } else {
        floors.raise(\.due, to: next)
        floors.raise(\.filling, to: next)
      }
    }

    /// The planned work, in order of priority.
    var waiting: [(Work, Timestamp)] {
      [(Work.user, wish), (.renew, moments.renewal), (.refresh, moments.due), (.fill, moments.filling)].compactMap {
        work, moment in moment.map { (work, $0) }
      }
    }

    /// The earliest of these times.
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
  /// Work that is due. Candidates are sorted by the order in which they start.
  struct Candidate: Comparable {
    let account: AccountName
    let work: Work
    /// When the work was due.
    let since: Timestamp
    /// When the account was last refreshed.
    let refreshedAt: Timestamp?

    /// Orders candidates. Among the refreshes that are due, the account whose last refresh is longest ago goes first. Thus no interval,
    /// and no time derived from a shared window, gives one account a larger share of scarce requests.
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
