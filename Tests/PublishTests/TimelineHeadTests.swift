import CivilTime
import Publish
import Testing

@Suite struct TimelineHeadTests {
  private func head(interval: Duration) -> TimelineHead {
    TimelineHead(
      account: "a", provider: "p", refreshedAt: Samples.time, nextRefreshAt: Samples.time + interval)
  }

  @Test("a file is stale a minute after the refresh that should have been, when the interval is shorter")
  func shortInterval() {
    let due = Samples.time + .seconds(20)
    #expect(!head(interval: .seconds(20)).isStale(at: due + .seconds(60)))
    #expect(head(interval: .seconds(20)).isStale(at: due + .milliseconds(60_001)))
  }

  @Test("a file is stale an interval after the refresh that should have been, when that is longer than a minute")
  func longInterval() {
    let due = Samples.time + .seconds(900)
    #expect(!head(interval: .seconds(900)).isStale(at: due + .seconds(900)))
    #expect(head(interval: .seconds(900)).isStale(at: due + .milliseconds(900_001)))
  }

  @Test("a file whose refreshes fail is stale at once")
  func failing() {
    var head = head(interval: .seconds(90))
    head.staleSince = Samples.time
    #expect(head.isStale(at: Samples.time))
  }

  @Test("a file without a planned refresh is not overdue")
  func unplanned() {
    #expect(
      !TimelineHead(account: "a", provider: "p", refreshedAt: Samples.time).isStale(
        at: Samples.time + .seconds(9_999_999)))
  }
}
