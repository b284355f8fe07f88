internal import Glibc

/// A time zone, which tests can replace.
package struct LocalZone: Sendable {
  /// Returns the offset from UTC at a time, in seconds; positive east of Greenwich.
  private let offset: @Sendable (Timestamp) -> Int64

  package init(offset: @escaping @Sendable (Timestamp) -> Int64) { self.offset = offset }

  /// The zone of the environment: `TZ`, otherwise `/etc/localtime` (`tzset(3)`).
  package static let system = LocalZone { moment in
    // localtime_r(3) need not read the zone. It is read at the first use, because most commands show no time.
    _ = isRead
    var seconds = time_t(moment.seconds)
    var parts = unsafe tm()
    guard unsafe localtime_r(&seconds, &parts) != nil else { return 0 }
    return unsafe Int64(parts.tm_gmtoff)
  }

  private static let isRead: Bool = {
    tzset()
    return true
  }()

  /// Returns the date and time that clocks show.
  package func date(at moment: Timestamp) -> CivilDate {
    CivilDate(Timestamp(seconds: moment.seconds + offset(moment)))
  }

  /// Returns the time when clocks show a date. If clocks are put back and show it twice, this is the first time. If they are put forward
  /// and skip it, this is the time as if they had not been put forward (RFC 5545 §3.3.5).
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
