import Testing

@testable import Time

@Suite struct TimestampTests {
  @Test(
    "a timestamp is written in three formats, and read back from each of them",
    arguments: [
      (0, "1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00 GMT", "Thu Jan 01 00:00:00 +0000 1970"),
      (784_111_777, "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT", "Sun Nov 06 08:49:37 +0000 1994"),
      (1_756_300_125, "2025-08-27T13:08:45Z", "Wed, 27 Aug 2025 13:08:45 GMT", "Wed Aug 27 13:08:45 +0000 2025"),
      (951_782_400, "2000-02-29T00:00:00Z", "Tue, 29 Feb 2000 00:00:00 GMT", "Tue Feb 29 00:00:00 +0000 2000"),
      (4_102_444_799, "2099-12-31T23:59:59Z", "Thu, 31 Dec 2099 23:59:59 GMT", "Thu Dec 31 23:59:59 +0000 2099"),
      (2_147_483_647, "2038-01-19T03:14:07Z", "Tue, 19 Jan 2038 03:14:07 GMT", "Tue Jan 19 03:14:07 +0000 2038"),
      (2_147_483_648, "2038-01-19T03:14:08Z", "Tue, 19 Jan 2038 03:14:08 GMT", "Tue Jan 19 03:14:08 +0000 2038"),
      (4_294_967_296, "2106-02-07T06:28:16Z", "Sun, 07 Feb 2106 06:28:16 GMT", "Sun Feb 07 06:28:16 +0000 2106"),
      (253_402_300_799, "9999-12-31T23:59:59Z", "Fri, 31 Dec 9999 23:59:59 GMT", "Fri Dec 31 23:59:59 +0000 9999"),
      (-1, "1969-12-31T23:59:59Z", "Wed, 31 Dec 1969 23:59:59 GMT", "Wed Dec 31 23:59:59 +0000 1969"),
    ])
  func forms(seconds: Int, rfc3339: String, imfFixdate: String, twitter: String) {
    let moment = Timestamp(seconds: Int64(seconds))
    #expect(moment.rfc3339 == rfc3339)
    #expect(moment.imfFixdate == imfFixdate)
    #expect(moment.twitterDate == twitter)
    #expect(Timestamp(rfc3339: rfc3339) == moment)
    #expect(Timestamp(imfFixdate: imfFixdate) == moment)
    #expect(Timestamp(twitterDate: twitter) == moment)
  }

  @Test("each day in 800 years directly follows the previous day")
  func everyDay() {
    var before = CivilDate(Timestamp(seconds: -12_622_780_800))
    for day in Int64(-146_096)...146_097 {
      let date = CivilDate(Timestamp(seconds: day * 86400))
      #expect(date.timestamp.seconds == day * 86400)
      #expect(date.weekday == (before.weekday + 1) % 7 || day == -146_096)
      #expect(date.day == before.day + 1 || date.day == 1 || day == -146_096)
      before = date
    }
  }

  @Test(
    "a timestamp's UTC offset and fractions of a second are read",
    arguments: [
      ("2026-11-20T17:16:42.000Z", 1_795_195_002_000), ("2026-11-20T18:16:42.5+01:00", 1_795_195_002_500),
      ("2026-11-20t12:16:42.123456789-05:00", 1_795_195_002_123), ("2026-11-20 17:16:42.01z", 1_795_195_002_010),
    ])
  func rfc3339(text: String, milliseconds: Int64) {
    #expect(Timestamp(rfc3339: text)?.milliseconds == milliseconds)
  }

  @Test("arithmetic on timestamps ends at the years 1 and 9999 instead of overflowing")
  func bounds() {
    let (first, last) = (Timestamp.earliest, Timestamp.latest)
    #expect(first.rfc3339 == "0001-01-01T00:00:00Z" && last.rfc3339 == "9999-12-31T23:59:59Z")
    for number in [Int64.max, .max - 1, .max / 1000, 253_402_300_800_000] as [Int64] {
      #expect(Timestamp(milliseconds: number) == last && Timestamp(seconds: number) == last)
      #expect(Timestamp(milliseconds: -number) == first && Timestamp(seconds: -number) == first)
    }
    #expect(Timestamp(milliseconds: .min) == first && Timestamp(seconds: .min) == first)
    let longest = Duration(secondsComponent: .max, attosecondsComponent: 0) * 18
    for duration in [longest, .seconds(Int64.max), .milliseconds(Int64.max), .nanoseconds(Int64.max) * 1000] {
      for time in [first, Timestamp(seconds: 0), last] {
        #expect(time + duration == last && time - duration == first)
        #expect(time + (.zero - duration) == first && time - (.zero - duration) == last)
      }
    }
    #expect(last - first == .seconds(315_537_897_599) + .milliseconds(999) && last + .milliseconds(1) == last)
    #expect(CivilDay(.max) == CivilDay(last) && CivilDay(.min) == CivilDay(first))
    #expect(
      CivilDay(last).next == CivilDay(last) && CivilDay(last).firstOfNextMonth.start.rfc3339 == "9999-12-01T00:00:00Z")
  }

  @Test(
    "a server's number is a time in seconds or milliseconds, or no time",
    arguments: [
      (1_795_694_400, "2026-11-26T12:00:00Z"), (1_795_694_400_000, "2026-11-26T12:00:00Z"),
      (1, "1970-01-01T00:00:01Z"), (253_402_300_799, "9999-12-31T23:59:59Z"), (253_402_300_800, nil),
      (253_402_300_799_999, "9999-12-31T23:59:59Z"), (253_402_300_800_000, nil), (100_000_000_000_000_000, nil),
      (.max, nil), (.min, nil), (0, nil), (-1, nil),
    ] as [(Int64, String?)])
  func sinceEpoch(number: Int64, expected: String?) {
    #expect(Timestamp(sinceEpoch: number)?.rfc3339 == expected)
  }

  @Test("a time outside the years 1 to 9999 is not read")
  func outside() {
    for text in ["0000-12-31T23:59:59Z", "9999-12-31T23:59:59-00:01", "0001-01-01T00:00:00+00:01"] {
      #expect(Timestamp(rfc3339: text) == nil, "\(text)")
    }
    #expect(Timestamp(twitterDate: "Fri Dec 31 23:59:59 -0100 9999") == nil)
    #expect(Timestamp(exactlyMilliseconds: .max) == nil && Timestamp(exactlySeconds: 253_402_300_800) == nil)
    #expect(Timestamp(exactlySeconds: 253_402_300_799)?.milliseconds == 253_402_300_799_000)
  }

  @Test("the UTC offset of a Twitter date is applied")
  func twitterZone() {
    #expect(Timestamp(twitterDate: "Wed Aug 27 15:08:45 +0200 2025") == Timestamp(seconds: 1_756_300_125))
  }

  @Test(
    "an invalid date is refused",
    arguments: [
      "", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:00:00",
      "2026-01-01T00:00:00Zx", "2026-01-01T00:00:00.Z", "2026-1-01T00:00:00Z", "２026-01-01T00:00:00Z",
    ])
  func refused(text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
    #expect(Timestamp(imfFixdate: text) == nil)
    #expect(Timestamp(twitterDate: text) == nil)
  }
}
