import Testing

@testable import Time

@Suite struct TypedTimeTests {
  /// A Thursday, 12:30 in UTC.
  private static let now = Timestamp(rfc3339: "2026-11-26T12:30:00Z")!
  /// Central European time: clocks are put forward on the last Sunday in March, and back on the last Sunday in October, at 01:00 UTC.
  private static let berlin = LocalZone { moment in
    let summer = Timestamp(rfc3339: "2026-03-29T01:00:00Z")!..<Timestamp(rfc3339: "2026-10-25T01:00:00Z")!
    return summer.contains(moment) ? 7200 : 3600
  }
  /// Apia, which left out 2011-12-30 when it crossed the date line.
  private static let apia = LocalZone { $0 < Timestamp(rfc3339: "2011-12-30T10:00:00Z")! ? -36_000 : 50_400 }
  /// A zone where clocks are put forward at midnight, as in Beirut.
  private static let beirut = LocalZone { $0 < Timestamp(rfc3339: "2026-03-28T22:00:00Z")! ? 7200 : 10_800 }

  private func local(
    _ text: String, _ direction: TypedTime.Direction, at now: Timestamp = now, in zone: LocalZone = berlin
  ) -> String? {
    TypedTime(at: now, in: zone, toward: direction).read(text).map { zone.date(at: $0).dayAndMinute }
  }

  @Test(
    "a time is read as people write it, in the local zone",
    arguments: [
      ("18:00", "2026-11-26 18:00", "2026-11-25 18:00"), ("9:00", "2026-11-27 09:00", "2026-11-26 09:00"),
      ("6pm", "2026-11-26 18:00", "2026-11-25 18:00"), ("6:30 PM", "2026-11-26 18:30", "2026-11-25 18:30"),
      ("12am", "2026-11-27 00:00", "2026-11-26 00:00"), ("12pm", "2026-11-27 12:00", "2026-11-26 12:00"),
      ("30m", "2026-11-26 14:00", "2026-11-26 13:00"), ("1h30m", "2026-11-26 15:00", "2026-11-26 12:00"),
      ("90 minutes", "2026-11-26 15:00", "2026-11-26 12:00"), ("2 hours 5 min", "2026-11-26 15:35", "2026-11-26 11:25"),
      ("3w", "2026-12-17 13:30", "2026-11-05 13:30"), ("now", "2026-11-26 13:30", "2026-11-26 13:30"),
      ("today", "2026-11-26 00:00", "2026-11-26 00:00"), ("Tomorrow 9:00", "2026-11-27 09:00", "2026-11-27 09:00"),
      ("tomorrow", "2026-11-27 00:00", "2026-11-27 00:00"), ("yesterday", "2026-11-25 00:00", "2026-11-25 00:00"),
      ("yesterday at 6 pm", "2026-11-25 18:00", "2026-11-25 18:00"),
      ("2026-12-24", "2026-12-24 00:00", "2026-12-24 00:00"),
      ("2026-12-24 18:00", "2026-12-24 18:00", "2026-12-24 18:00"),
      ("2026-12-24T18:00:59", "2026-12-24 18:00", "2026-12-24 18:00"),
      ("2026-11-20T15:00:00Z", "2026-11-20 16:00", "2026-11-20 16:00"),
      ("monday", "2026-11-30 00:00", "2026-11-23 00:00"), ("Fri 9:00", "2026-11-27 09:00", "2026-11-20 09:00"),
      // A Thursday: today's time counts if it is on the right side of now.
      ("thursday", "2026-12-03 00:00", "2026-11-26 00:00"),
      ("thursday 18:00", "2026-11-26 18:00", "2026-11-19 18:00"),
    ])
  func reads(text: String, future: String, past: String) {
    #expect(local(text, .future) == future)
    #expect(local(text, .past) == past)
  }

  @Test("`in` is accepted only for future times, `ago` only for past times")
  func directions() {
    #expect(local("in 2 days", .future) == "2026-11-28 13:30" && local("in 2 days", .past) == nil)
    #expect(local("2 days ago", .past) == "2026-11-24 13:30" && local("2 days ago", .future) == nil)
  }

  @Test(
    "text that is not a time is refused",
    arguments: [
      "", " ", "in", "ago", "someday", "18", "1800", "24:00", "9:60", "9:5", "13pm", "0am", "9:00:61", "7", "d", "0d",
      "-7d",
      "100000d", "1.5h", "٧d", "2026-13-01", "2026-02-29", "2026-1-1", "2026-11-20 ", "2026-11-20T", "2026-11-20 25:00",
      "tomorrow tomorrow", "tomorrow 9", "monday 30m", "18:00 tomorrow", "mo", "mondays",
    ])
  func refuses(text: String) {
    // A space after a day is no time of day, and is ignored.
    let expected = text == "2026-11-20 " ? "2026-11-20 00:00" : nil
    #expect(local(text, .future) == expected && local(text, .past) == expected)
  }

  @Test("a time that occurs twice means the first, and a skipped time moves forward by the length of the gap")
  func changedClocks() throws {
    let reader = TypedTime(at: Self.now, in: Self.berlin, toward: .past)
    #expect(reader.read("2026-10-25 02:30")?.rfc3339 == "2026-10-25T00:30:00Z")
    #expect(reader.read("2026-10-25 03:00")?.rfc3339 == "2026-10-25T02:00:00Z")
    #expect(reader.read("2026-03-29 02:30")?.rfc3339 == "2026-03-29T01:30:00Z")
    #expect(local("2026-03-29 02:30", .past) == "2026-03-29 03:30")
    #expect(reader.read("2026-03-29 01:59")?.rfc3339 == "2026-03-29T00:59:00Z")
    // The day begins at the first time that clocks show.
    #expect(local("2026-03-29", .past, in: Self.beirut) == "2026-03-29 01:00")
    #expect(local("2011-12-30 12:00", .past, in: Self.apia) == "2011-12-31 12:00")
    // Days are counted on the calendar, not in hours.
    let before = try #require(Timestamp(rfc3339: "2026-10-24T16:00:00Z"))
    #expect(local("tomorrow 18:00", .future, at: before) == "2026-10-25 18:00")
    #expect(local("18:00", .future, at: before) == "2026-10-25 18:00")
  }

  @Test("dates survive a round trip through the system's time zone")
  func systemZone() {
    for seconds in stride(from: Int64(1_767_225_600), to: 1_798_761_600, by: 86_400 * 7 + 3600) {
      let moment = Timestamp(seconds: seconds)
      #expect(
        LocalZone.system.date(at: LocalZone.system.moment(of: LocalZone.system.date(at: moment)))
          == LocalZone.system.date(at: moment))
    }
  }
}
