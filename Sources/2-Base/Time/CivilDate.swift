/// A date and time in the proleptic Gregorian calendar, in UTC.
package struct CivilDate: Sendable, Hashable {
  package let year: Int
  /// The month, from 1 to 12.
  package let month: Int
  /// The day of the month, from 1 to 31.
  package let day: Int
  package let hour: Int
  package let minute: Int
  package let second: Int

  /// Creates a date in the years 1 to 9999; `nil` for a date that does not exist. Second 60 becomes the first second of the next minute.
  package init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), (0...23).contains(hour), (0...59).contains(minute),
      (0...60).contains(second), day >= 1, day <= CivilDate.length(ofMonth: month, year: year)
    else { return nil }
    self.init(unchecked: year, month, day, hour, minute, second)
  }

  private init(unchecked year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// Creates the date of a timestamp, without its milliseconds.
  package init(_ timestamp: Timestamp) {
    let seconds = timestamp.seconds
    let days = seconds.flooredQuotient(by: 86400)
    let rest = Int(seconds - days * 86400)
    // Days are counted in eras of 400 years that begin on 1 March, so that the leap day is the last day of its year.
    let shifted = days + 719_468
    let era = shifted.flooredQuotient(by: 146_097)
    let dayOfEra = Int(shifted - era * 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    self.init(
      unchecked: Int(era) * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1,
      rest / 3600, rest % 3600 / 60, rest % 60)
  }

  package var timestamp: Timestamp {
    Timestamp(seconds: daysSince1970 * 86400 + Int64(hour * 3600 + minute * 60 + second))
  }

  /// The day of the week, from 0 for Sunday to 6 for Saturday.
  package var weekday: Int { Int((daysSince1970 % 7 + 11) % 7) }

  private var daysSince1970: Int64 {
    let shiftedYear = Int64(month <= 2 ? year - 1 : year)
    let era = shiftedYear.flooredQuotient(by: 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
