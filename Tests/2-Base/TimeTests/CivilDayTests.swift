import Testing

@testable import Time

@Suite struct CivilDayTests {
  private func day(_ text: String) -> CivilDay { CivilDay(Timestamp(rfc3339: text + "T12:34:56Z")!) }

  @Test("a day lasts from midnight to its last millisecond, even before 1970")
  func bounds() {
    for number in [-1, 0, 20_777] as [Int64] {
      let day = CivilDay(number)
      #expect(CivilDay(day.start) == day && CivilDay(day.next.start - .seconds(1)) == day)
      #expect(CivilDay(day.start - .milliseconds(1)) == CivilDay(day.number - 1))
    }
  }

  @Test(
    "for any day, the first day of its month and of the next month is computed",
    arguments: [
      ("2026-11-21", "2026-11-01", "2026-12-01"), ("2026-12-31", "2026-12-01", "2027-01-01"),
      ("2028-02-29", "2028-02-01", "2028-03-01"), ("2027-02-01", "2027-02-01", "2027-03-01"),
      ("2027-01-31", "2027-01-01", "2027-02-01"),
    ])
  func months(text: String, first: String, next: String) {
    #expect(day(text).firstOfMonth == day(first) && day(text).firstOfNextMonth == day(next))
  }
}
