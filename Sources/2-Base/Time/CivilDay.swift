/// A day in UTC, counted from 1970-01-01, in the years 1 to 9999.
package struct CivilDay: Sendable, Hashable, Comparable {
  package static let seconds: Int64 = 86_400

  package let number: Int64

  /// Creates the nearest day in the years 1 to 9999.
  package init(_ number: Int64) {
    self.number = min(
      max(number, CivilDay(Timestamp.earliest).number), CivilDay(Timestamp.latest).number)
  }

  /// Creates the day of a timestamp.
  package init(_ moment: Timestamp) { number = moment.seconds.flooredQuotient(by: Self.seconds) }

  /// The start of the day.
  package var start: Timestamp { Timestamp(seconds: number * Self.seconds) }

  package var next: CivilDay { CivilDay(number + 1) }

  /// The first day of this day's calendar month.
  package var firstOfMonth: CivilDay { CivilDay(number - Int64(CivilDate(start).day - 1)) }

  /// The first day of the next calendar month.
  package var firstOfNextMonth: CivilDay {
    // Every month has between 28 and 31 days.
    CivilDay(firstOfMonth.number + 31).firstOfMonth
  }

  package static func < (left: CivilDay, right: CivilDay) -> Bool { left.number < right.number }
}
