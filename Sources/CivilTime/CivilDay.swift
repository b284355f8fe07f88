/// A day of UTC, counted from 1970-01-01.
package struct CivilDay: Sendable, Hashable, Comparable {
  package static let seconds: Int64 = 86_400

  package let number: Int64

  package init(_ number: Int64) { self.number = number }

  /// The day on which the moment falls.
  package init(_ moment: Timestamp) { number = moment.seconds.flooredQuotient(by: Self.seconds) }

  /// Its first moment.
  package var start: Timestamp { Timestamp(seconds: number * Self.seconds) }

  package var next: CivilDay { CivilDay(number + 1) }
  package var previous: CivilDay { CivilDay(number - 1) }

  /// The first day of its calendar month.
  package var firstOfMonth: CivilDay { CivilDay(number - Int64(CivilDate(start).day - 1)) }

  /// The first day of the month after it.
  package var firstOfNextMonth: CivilDay {
    // No month has more than 31 days, and none fewer than 28.
    CivilDay(firstOfMonth.number + 31).firstOfMonth
  }

  package static func < (left: CivilDay, right: CivilDay) -> Bool { left.number < right.number }
}
