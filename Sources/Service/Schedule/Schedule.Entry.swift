internal import CivilTime
internal import Settings

extension Schedule {
  /// One account: what it waits for, and what is under way.
  struct Entry: Sendable {
    var member: Member
    var moments: Moments
    /// The lane does one thing at a time.
    var running: Work?
    /// Since when the user waits for a refresh.
    var wish: Timestamp?
    /// When its last refresh began.
    var refreshedAt: Timestamp?

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
      moments.due = moments.due.map { $0 + duration }
      moments.filling = moments.filling.map { $0 + duration }
      moments.renewal = moments.renewal.map { $0 + duration }
      wish = wish.map { $0 + duration }
      refreshedAt = refreshedAt.map { $0 + duration }
    }
  }
}
