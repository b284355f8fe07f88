internal import CivilTime
internal import Settings

extension Schedule {
  /// One account: what it waits for, and what is under way.
  struct Entry: Sendable {
    var member: Member
    /// What is planned; never before the floors, whoever plans it.
    private(set) var moments: Moments
    /// Before these moments the schedule starts nothing of the kind, because something of it was started shortly before.
    private var floors = Moments(due: nil)
    /// The lane does one thing at a time.
    var running: Work?
    /// Since when the user waits for a refresh.
    var wish: Timestamp?
    /// When its last refresh began.
    var refreshedAt: Timestamp?

    init(member: Member, moments: Moments, refreshedAt: Timestamp?) {
      self.member = member
      self.moments = moments
      self.refreshedAt = refreshedAt
    }

    /// Plans what comes next.
    package mutating func plan(_ next: Moments) { moments = next.raised(to: floors) }

    /// Plans a renewal of the token, or none.
    package mutating func plan(renewal: Timestamp?) {
      plan(Moments(due: moments.due, filling: moments.filling, renewal: renewal))
    }

    /// Postpones what is due at a moment.
    mutating func postpone(whatIsDueAt moment: Timestamp, to later: Timestamp) {
      moments.postpone(whatIsDueAt: moment, to: later)
    }

    /// Works with other settings. Another server, or another application, has not been asked yet.
    mutating func become(_ member: Member) {
      if self.member.host != member.host || self.member.application != member.application {
        floors = Moments(due: nil)
      }
      self.member = member
    }

    /// Work begins: for a while the schedule starts no other of its kind, whatever comes of this one.
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

    /// Work has failed: the pauses after it count from its end.
    mutating func fail(_ work: Work, at now: Timestamp) {
      let next = now + Backoff.shortest
      if work == .renew {
        floors.raise(\.renewal, to: next)
      } else {
        floors.raise(\.due, to: next)
        floors.raise(\.filling, to: next)
      }
    }

    /// What the account waits for, in the order of what goes before what.
    var waiting: [(Work, Timestamp)] {
      [(Work.user, wish), (.renew, moments.renewal), (.refresh, moments.due), (.fill, moments.filling)].compactMap {
        work, moment in moment.map { (work, $0) }
      }
    }

    /// The first moment of these.
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
