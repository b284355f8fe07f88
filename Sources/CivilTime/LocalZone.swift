internal import Glibc

/// A time zone, which tests can replace.
package struct LocalZone: Sendable {
  /// Returns the offset from UTC at a time, in seconds; positive east of Greenwich.
  private let offset: @Sendable (Timestamp) -> Int64

  package init(offset: @escaping @Sendable (Timestamp) -> Int64) { self.offset = offset }

  package static let utc = LocalZone { _ in 0 }

  /// The zone of the environment: `TZ`, otherwise `/etc/localtime` (`tzset(3)`).
  package static let system: LocalZone = {
    tzset()
    return LocalZone { moment in
      var seconds = time_t(moment.seconds)
      var parts = unsafe tm()
      guard unsafe localtime_r(&seconds, &parts) != nil else { return 0 }
      return unsafe Int64(parts.tm_gmtoff)
    }
  }()

  /// Returns the date and time that clocks show.
  package func date(at moment: Timestamp) -> CivilDate {
    CivilDate(Timestamp(seconds: moment.seconds + offset(moment)))
  }

  /// Returns the time at which clocks show a date. If they show it twice because they are put back, the first of both. If they skip it
  /// because they are put forward, the time as if they had not been put forward (RFC 5545 §3.3.5).
  package func moment(of date: CivilDate) -> Timestamp {
    let shown = date.timestamp.seconds
    // No zone changes its offset twice within two days.
    let former = offset(Timestamp(seconds: shown - CivilDay.seconds))
    let next = offset(Timestamp(seconds: shown + CivilDay.seconds))
    let first = Timestamp(seconds: shown - former)
    if offset(first) == former { return first }
    let second = Timestamp(seconds: shown - next)
    return offset(second) == next ? second : first
  }
}
