import Testing

@testable import Time

@Suite struct DaysLeftTests {
  @Test(
    "the remaining time is rounded down to days, or to hours on the last day",
    arguments: [
      (0, "over"), (-5, "over"), (1, "less than an hour"), (3599, "less than an hour"), (3600, "1 h"), (86399, "23 h"),
      (86400, "1 day"), (2 * 86400 - 1, "1 day"), (2 * 86400, "2 days"), (29 * 86400 + 7, "29 days"),
    ] as [(Int64, String)])
  func text(seconds: Int64, expected: String) {
    let now = Timestamp(seconds: 1_790_000_000)
    #expect(DaysLeft.text(until: now + .seconds(seconds), at: now) == expected)
  }
}
