@testable import CivilTime
import Testing

@Suite struct DaysLeftTests {
  @Test(
    "what is left is told in days, in hours on the last one, and rounded down",
    arguments: [
      (0, "over"), (-5, "over"), (1, "less than an hour"), (3599, "less than an hour"), (3600, "1 h"), (86399, "23 h"),
      (86400, "1 day"), (2 * 86400 - 1, "1 day"), (2 * 86400, "2 days"), (29 * 86400 + 7, "29 days"),
    ] as [(Int64, String)])
  func words(seconds: Int64, expected: String) {
    let now = Timestamp(seconds: 1_790_000_000)
    #expect(DaysLeft.words(until: now + .seconds(seconds), at: now) == expected)
  }
}
