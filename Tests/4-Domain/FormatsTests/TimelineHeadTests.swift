import Testing
import Time
import Timeline

@testable import Formats

@Suite struct TimelineHeadTests {
  private func head(_ freshness: Freshness) -> TimelineHead {
    TimelineHead(account: "a", provider: "p", refreshedAt: Samples.time, freshUntil: freshness.freshUntil)
  }

  private func freshness(interval: Duration) -> Freshness {
    Freshness(refreshedAt: Samples.time, nextRefreshAt: Samples.time + interval)
  }

  @Test(
    "a timeline file promises freshness until an hour after the next refresh, plus an interval or at least a minute",
    arguments: [(20, 20 + 60), (90, 90 + 90), (900, 900 + 900), (86_400, 2 * 86_400)])
  func promise(interval: Int, due: Int) {
    let freshness = freshness(interval: .seconds(interval))
    #expect(freshness.refreshDue == Samples.time + .seconds(due))
    #expect(freshness.freshUntil == Samples.time + .seconds(due + 3600))
    #expect(!head(freshness).isStale(at: freshness.freshUntil))
    #expect(head(freshness).isStale(at: freshness.freshUntil + .milliseconds(1)))
  }

  @Test("a timeline file is stale as soon as refreshes fail")
  func failing() {
    var head = head(freshness(interval: .seconds(90)))
    head.staleSince = Samples.time
    #expect(head.isStale(at: Samples.time))
  }

  @Test("a timeline file without a freshness promise is never overdue")
  func unplanned() {
    #expect(
      !TimelineHead(account: "a", provider: "p", refreshedAt: Samples.time).isStale(
        at: Samples.time + .seconds(9_999_999)))
  }

  @Test(
    "an unchanged timeline file remains for at most an hour while refreshes find nothing new",
    arguments: [20, 90, 900])
  func staying(interval: Int) {
    let published = head(freshness(interval: .seconds(interval)))
    func later(by seconds: Int) -> Bool {
      let now = Samples.time + .seconds(seconds)
      let freshness = Freshness(refreshedAt: now, nextRefreshAt: now + .seconds(interval))
      var head = head(freshness)
      head.refreshedAt = now
      return head.isCovered(by: published, until: freshness.refreshDue)
    }
    #expect(later(by: interval) && later(by: 3600))
    #expect(!later(by: 3601))
  }

  @Test("a timeline file is replaced if its content differs, or if it promises freshness although nothing is scheduled")
  func changed() {
    let freshness = freshness(interval: .seconds(90))
    let published = head(freshness)
    var other = published
    other.unread = 1
    #expect(!other.isCovered(by: published, until: freshness.refreshDue))
    #expect(!published.isCovered(by: published, until: nil))
    var unplanned = published
    unplanned.freshUntil = nil
    #expect(!published.isCovered(by: unplanned, until: freshness.refreshDue))
    #expect(unplanned.isCovered(by: unplanned, until: nil))
  }
}
