internal import Time
internal import Timeline

extension Schedule {
  /// The planned work for one timeline.
  struct Plan: Sendable {
    let timeline: TimelineName
    private(set) var terms: Member.Terms
    /// The scheduled times. They are never before the floors.
    private(set) var moments: WorkTimes
    /// For each kind of work, the earliest time when it may start again after a recent start.
    private var floors = WorkTimes(due: nil)
    /// The time when the user requested a refresh.
    var wish: Timestamp?
    /// The time when the timeline's last refresh began.
    private(set) var refreshedAt: Timestamp?

    init(_ timeline: TimelineName, _ terms: Member.Terms, _ moments: WorkTimes, refreshedAt: Timestamp?) {
      self.timeline = timeline
      self.terms = terms
      self.moments = moments
      self.refreshedAt = refreshedAt
    }

    /// Plans the next work.
    mutating func plan(_ next: WorkTimes) { moments = next.raised(to: floors) }

    mutating func postpone(whatIsDueAt moment: Timestamp, to later: Timestamp) {
      moments.postpone(whatIsDueAt: moment, to: later)
    }

    /// Forgets the scheduled times and the pauses.
    mutating func restart() {
      moments = WorkTimes(due: nil)
      floors = WorkTimes(due: nil)
    }

    /// Changes how the timeline is refreshed.
    /// - Parameter isElsewhere: whether the server or application has changed. The new one has received no requests yet, so the floors are
    ///   removed.
    mutating func become(_ terms: Member.Terms, isElsewhere: Bool) {
      if isElsewhere { floors = WorkTimes(due: nil) }
      self.terms = terms
    }

    mutating func begin(_ work: Work, at now: Timestamp) {
      raiseFloors(Pacing(interval: terms.interval).next(after: .started, of: work, now: now))
      guard work == .user || work == .refresh else { return }
      wish = nil
      refreshedAt = now
    }

    /// Postpones the next starts after work has started or failed.
    mutating func raiseFloors(_ decision: Pacing.Decision) { floors.raise(to: decision.floors) }

    /// The earliest time of the planned work.
    var first: Timestamp? {
      var first = wish
      if let due = moments.due { first = first.map { min($0, due) } ?? due }
      if let filling = moments.filling { first = first.map { min($0, filling) } ?? filling }
      return first
    }

    /// Returns whether this timeline goes before another one of its account: the one refreshed longest ago goes first.
    func precedes(_ other: Plan) -> Bool {
      if refreshedAt == other.refreshedAt { return timeline.description < other.timeline.description }
      guard let refreshedAt else { return true }
      return other.refreshedAt.map { refreshedAt < $0 } ?? false
    }

    mutating func shift(by duration: Duration) {
      moments.shift(by: duration)
      floors.shift(by: duration)
      wish = wish.map { $0 + duration }
      refreshedAt = refreshedAt.map { $0 + duration }
    }
  }
}
