internal import Settings
internal import Time
internal import Timeline

extension Schedule {
  /// One account: its planned work, and its running work.
  struct Entry: Sendable {
    private(set) var member: Member
    /// The plans of its timelines, first those of the timelines that were refreshed longest ago.
    private(set) var plans: [Plan]
    /// The time of the token's next renewal, which is never before the floor; `nil` if none is scheduled.
    private(set) var renewal: Timestamp?
    /// The earliest time of the token's next renewal after a recent start.
    private var renewalFloor: Timestamp?
    /// The running work. An account's queue runs one job at a time.
    private(set) var running: Running?
    /// The time when the last refresh of one of the account's timelines began.
    private(set) var refreshedAt: Timestamp?

    /// Running work, and its timeline; `nil` for the renewal of the token.
    struct Running: Sendable {
      let work: Work
      let timeline: TimelineName?
      /// Whether the account was restarted after the work had started.
      var isOutdated = false
    }

    /// Planned work, and its timeline; `nil` for the renewal of the token.
    struct Turn: Sendable {
      let work: Work
      let timeline: TimelineName?
      let at: Timestamp
    }

    init(member: Member, _ known: [TimelineName: Known], renewal: Timestamp?, refreshedAt: Timestamp?) {
      self.member = member
      self.renewal = renewal
      self.refreshedAt = refreshedAt
      plans = []
      add(known)
    }

    /// Adds the member's timelines that have no plan yet.
    private mutating func add(_ known: [TimelineName: Known]) {
      for (timeline, terms) in member.timelines where !plans.contains(where: { $0.timeline == timeline }) {
        let known = known[timeline]
        plans.append(Plan(timeline, terms, known?.moments ?? WorkTimes(due: nil), refreshedAt: known?.refreshedAt))
      }
      sort()
    }

    private mutating func sort() { if plans.count > 1 { plans.sort { $0.precedes($1) } } }

    // MARK: Planning

    func plan(of timeline: TimelineName) -> Plan? { plans.first { $0.timeline == timeline } }

    private mutating func change(_ timeline: TimelineName, _ body: (inout Plan) -> Void) {
      if let index = plans.firstIndex(where: { $0.timeline == timeline }) { body(&plans[index]) }
    }

    /// Plans a timeline's next work.
    mutating func plan(_ next: WorkTimes, of timeline: TimelineName) { change(timeline) { $0.plan(next) } }

    /// Plans a token renewal, or none.
    mutating func plan(renewal: Timestamp?) { self.renewal = renewal?.raised(to: renewalFloor) }

    /// Plans nothing.
    mutating func planNothing() {
      for index in plans.indices { plans[index].plan(WorkTimes(due: nil)) }
      renewal = nil
    }

    /// Forgets the plan and the pauses, but not the user's requests.
    mutating func restart() {
      for index in plans.indices { plans[index].restart() }
      renewal = nil
      renewalFloor = nil
      running?.isOutdated = true
    }

    /// Records that the user wants a timeline's refresh; `nil` to withdraw this.
    mutating func wish(_ timeline: TimelineName, at moment: Timestamp?) { change(timeline) { $0.wish = moment } }

    /// Postpones the work that is due at a given time.
    mutating func postpone(whatIsDueAt moment: Timestamp, to later: Timestamp) {
      for index in plans.indices { plans[index].postpone(whatIsDueAt: moment, to: later) }
      renewal = renewal.map { $0 <= moment ? later : $0 }
    }

    /// Changes the account's settings. A timeline keeps its plan, unless the settings are different or nothing was scheduled for it.
    mutating func become(_ member: Member, _ known: [TimelineName: Known], renewal: Timestamp?) {
      let isAnother = self.member != member
      let isElsewhere = self.member.host != member.host || self.member.application != member.application
      if isElsewhere { renewalFloor = nil }
      if isAnother || plans.contains(where: { $0.moments.due == nil }) { plan(renewal: renewal) }
      self.member = member
      plans.removeAll { member.timelines[$0.timeline] == nil }
      for index in plans.indices {
        let timeline = plans[index].timeline
        if let terms = member.timelines[timeline] { plans[index].become(terms, isElsewhere: isElsewhere) }
        if isAnother || plans[index].moments.due == nil, let known = known[timeline] {
          plans[index].plan(known.moments)
        }
      }
      add(known)
    }

    // MARK: Working

    /// Starts work. For some time afterwards, the schedule starts no more work of this kind, whether the started work succeeds or fails.
    mutating func begin(_ work: Work, of timeline: TimelineName?, at now: Timestamp) {
      running = Running(work: work, timeline: timeline)
      guard let timeline else {
        let decision = Pacing(interval: .zero).next(after: .started, of: work, now: now)
        return raiseFloor(decision)
      }
      change(timeline) { $0.begin(work, at: now) }
      guard work == .user || work == .refresh else { return }
      refreshedAt = now
      sort()
    }

    /// Ends the running work.
    mutating func end() { running = nil }

    /// Postpones the next starts for a timeline after work has failed.
    mutating func raiseFloors(_ decision: Pacing.Decision, of timeline: TimelineName) {
      change(timeline) { $0.raiseFloors(decision) }
    }

    /// Postpones the next renewal after one has started or failed.
    mutating func raiseFloor(_ decision: Pacing.Decision) {
      if let floor = decision.renewalFloor { renewalFloor = floor.raised(to: renewalFloor) }
    }

    /// The planned work, in order of priority, and within it in the order of the timelines.
    var waiting: [Turn] {
      var turns: [Turn] = []
      func add(_ work: Work, _ moment: (Plan) -> Timestamp?) {
        for plan in plans {
          if let at = moment(plan) { turns.append(Turn(work: work, timeline: plan.timeline, at: at)) }
        }
      }
      add(.user) { $0.wish }
      if let renewal { turns.append(Turn(work: .renew, timeline: nil, at: renewal)) }
      add(.refresh) { $0.moments.due }
      add(.fill) { $0.moments.filling }
      return turns
    }

    /// The earliest time of the planned work.
    var first: Timestamp? {
      var first = renewal
      for plan in plans {
        if let moment = plan.first { first = first.map { min($0, moment) } ?? moment }
      }
      return first
    }

    mutating func shift(by duration: Duration) {
      for index in plans.indices { plans[index].shift(by: duration) }
      renewal = renewal.map { $0 + duration }
      renewalFloor = renewalFloor.map { $0 + duration }
      refreshedAt = refreshedAt.map { $0 + duration }
    }
  }
}

extension Schedule {
  /// Work that is due. Candidates are sorted by start order.
  struct Candidate: Comparable {
    let account: AccountName
    let work: Work
    /// The timeline to refresh; `nil` for the renewal of the token.
    let timeline: TimelineName?
    /// The time when the account's first work of this kind was due.
    let since: Timestamp
    /// The time when one of the account's timelines was last refreshed.
    let refreshedAt: Timestamp?
    /// The number of the account's candidates that go before this one.
    let place: Int

    /// Returns the candidates of an account.
    /// - Parameter turns: its work that is due, in start order.
    static func all(of account: AccountName, _ entry: Entry, _ turns: [Entry.Turn]) -> [Candidate] {
      turns.enumerated().map { place, turn in
        Candidate(
          account: account, work: turn.work, timeline: turn.timeline,
          since: turns.reduce(turn.at) { $1.work == turn.work ? min($0, $1.at) : $0 }, refreshedAt: entry.refreshedAt,
          place: place)
      }
    }

    /// Orders candidates. Of the accounts due for a refresh, the one with the oldest last refresh goes first. Thus neither its interval nor
    /// a time derived from a shared window nor the number of its timelines gives an account a larger share of scarce requests.
    static func < (left: Candidate, right: Candidate) -> Bool {
      if left.work != right.work { return left.work < right.work }
      if left.account == right.account { return left.place < right.place }
      if left.work == .refresh, left.refreshedAt != right.refreshedAt {
        guard let earlier = left.refreshedAt else { return true }
        return right.refreshedAt.map { earlier < $0 } ?? false
      }
      if left.since != right.since { return left.since < right.since }
      return left.account < right.account
    }
  }
}
