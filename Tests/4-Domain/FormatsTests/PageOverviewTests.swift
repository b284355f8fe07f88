import HTTP
import Testing
import Time
import Timeline

@testable import Formats

/// A published page's overview.
@Suite struct PageOverviewTests {
  @Test("the page shows the account, its freshness, the number of posts and their cost")
  func facts() {
    let page = PageSamples.page(
      [PageSamples.item("1", isUnread: true)],
      overview: .init(kept: 12_408, spending: ["0.42 of 1.00 USD today", "2 of 20 USD this month"])
    ) {
      $0.user = Samples.mira
      $0.refreshedAt = Samples.time
      $0.freshUntil = PageSamples.now + .seconds(86400)
      $0.loginNeededBy = PageSamples.now + .seconds(30 * 86400)
      $0.unread = 1
    }
    #expect(page.contains("<title>(1) demo · home timeline</title>"))
    #expect(page.contains("<h1><bdi>demo</bdi> <small><bdi>sandbox</bdi></small></h1>"))
    #expect(
      page.contains("Home timeline of <span class=\"name\"><bdi>Mira</bdi></span>")
        && page.contains("<p><bdi>@mira_demo</bdi></p>"))
    #expect(page.contains("1 shown, 12,408 stored"))
    #expect(page.contains("0.42 of 1.00 USD today</bdi><br>"))
    #expect(page.contains("<dt>Fresh until</dt>") && page.contains(">Sat 21 Nov, 16:10 UTC</time>"))
    #expect(page.contains(">Sun 20 Dec, 16:10 UTC</time>"))
    #expect(!page.contains("<section class=\"notice\">"))
  }

  @Test("an empty timeline's page is complete and states that there are no posts yet")
  func empty() {
    let page = PageSamples.page()
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
    #expect(page.contains("There are no posts here yet."))
    #expect(!page.contains("<figure class=\"chart\">"))
  }

  @Test("the page shows a problem with its message and the next step", arguments: Problem.Code.allCases)
  func problems(code: Problem.Code) throws {
    let page = PageSamples.page {
      $0.problem = Problem(code: code, message: "It went wrong.", retryAt: PageSamples.now + .seconds(60))
      $0.staleSince = Samples.time
    }
    let notice = try #require(PageSamples.part(of: page, from: "<section class=\"notice\">", to: "</section>"))
    #expect(notice.contains("It went wrong."))
    let advice = ProblemAdvice.text(for: Problem(code: code, message: ""), account: "demo")
    #expect(!advice.isEmpty && notice.contains(PageText.line(advice).text))
    #expect(notice.contains("Nothing new since") && notice.contains("Next attempt at"))
  }

  @Test("if a problem's message contains a command, the page shows no other command")
  func oneAdvice() {
    #expect(
      ProblemAdvice.text(
        for: Problem(code: .notAuthorised, message: "Over. Run: homeline login demo"), account: "demo"
      )
      .isEmpty)
  }

  @Test(
    "the notice about old posts is hidden until the page is no longer fresh")
  func overdue() throws {
    let fresh = PageSamples.page {
      $0.refreshedAt = Samples.time
      $0.freshUntil = PageSamples.now + .seconds(1200)
    }
    #expect(fresh.contains("<section class=\"notice\" hidden data-after=\"2026-11-20T16:30:00Z\">"))
    let late = PageSamples.page { $0.freshUntil = PageSamples.now - .seconds(1) }
    #expect(
      try #require(PageSamples.part(of: late, from: "<section class=\"notice\">", to: "</section>")).contains("are old")
    )
  }

  @Test(
    "the page shows when it was last refreshed only while refreshes fail"
  )
  func lastRefresh() {
    let fresh = PageSamples.page { ($0.refreshedAt, $0.freshUntil) = (Samples.time, PageSamples.now + .seconds(60)) }
    #expect(!fresh.contains("Last refresh"))
    let stale = PageSamples.page { ($0.refreshedAt, $0.staleSince) = (Samples.time, Samples.time) }
    #expect(stale.contains("Last refresh") && stale.contains(">16:00 UTC</time>"))
  }

  @Test("the page warns about a login that expires within a week")
  func login() {
    func page(_ left: Duration) -> String { PageSamples.page { $0.loginNeededBy = PageSamples.now + left } }
    #expect(page(.seconds(3 * 86400)).contains("The login expires in 3 days."))
    #expect(page(.seconds(-1)).contains("The login has expired."))
    #expect(!page(.seconds(8 * 86400)).contains("The login ends"))
    #expect(page(.seconds(3 * 86400)).contains("homeline login demo"))
  }

  @Test("the chart has a bar for each hour with posts, a mark for each midnight, and a text alternative")
  func chart() {
    var hours = Array(repeating: 0, count: 168)
    (hours[0], hours[100], hours[167]) = (1, 40, 10)
    let svg = HourChart(hours: hours, now: PageSamples.now).html.text
    #expect(PageSamples.count("<rect", in: svg) == 3)
    #expect(PageSamples.count("class=\"bar now\"", in: svg) == 1)
    #expect(PageSamples.count("class=\"day\"", in: svg) == 7)
    #expect(svg.contains(">peak: 40/h<"))
    #expect(svg.contains("height=\"70\"") && svg.contains("height=\"18\"") && svg.contains("height=\"2\""))
    // The current hour began at 16:00 on Friday. The 101st of the 168 hours is 67 hours earlier.
    #expect(
      svg.contains(
        "51 in the 168 hours up to now; the highest number, 40, in the hour from Tue 17 Nov 2026, 21:00 UTC."))
    #expect(["Sat", "Sun", "Mon", "Tue", "Wed", "Thu", "Fri"].allSatisfy { svg.contains(">\($0)</text>") })
  }

  @Test(
    "the last day's label ends at the chart's edge if it would not fit to the right of its line",
    arguments: [11, 12, 17, 18])
  func lastDay(hour: Int) {
    // The chart's last hour begins at the given hour, so the day of 20 November has one hour more than that.
    let now = Timestamp(rfc3339: "2026-11-20T00:00:00Z")! + .seconds((hour - 1) * 3600)
    let svg = HourChart(hours: Array(repeating: 1, count: 168), now: now).html.text
    #expect(svg.contains(">Fri</text>") == (hour >= 12))
    #expect(svg.contains("<text x=\"100%\" text-anchor=\"end\" y=\"104\">Fri</text>") == (12..<18).contains(hour))
  }

  @Test("the page names the chart's time zone only once")
  func zone() throws {
    let page = PageSamples.page(overview: .init(hours: Array(repeating: 1, count: 168)))
    #expect(page.contains("<figcaption>Posts per hour</figcaption>"))
    #expect(PageSamples.count("Times and days are in UTC", in: page) == 1)
  }

  @Test("the page shows the age of its newest post before “Fresh until”")
  func newest() throws {
    let page = PageSamples.page([PageSamples.item("2"), PageSamples.item("1")]) { $0.freshUntil = PageSamples.now }
    let facts = try #require(PageSamples.part(of: page, from: "<dl class=\"facts\">", to: "</dl>"))
    let newest = try #require(facts.firstRange(of: "<dt>Newest post</dt><dd><time class=\"age\""))
    let fresh = try #require(facts.firstRange(of: "<dt>Fresh until</dt>"))
    #expect(newest.upperBound < fresh.lowerBound && facts.contains(">10 min</time>"))
    #expect(!PageSamples.page().contains("Newest post"))
  }

  @Test("a page that a command renders names that command when it is old, and is not loaded again")
  func renewal() throws {
    var head = TimelineHead(account: "demo", provider: "sandbox")
    head.freshUntil = PageSamples.now + .seconds(60)
    let publication = Publication(head: head, posts: [], madeAt: PageSamples.now, renewal: "homeline open demo")
    let page = String(decoding: PublishedFormat.html.bytes(of: publication), as: UTF8.self)
    #expect(page.contains("To update this page: <code>homeline open demo</code>") && !page.contains("systemctl"))
    #expect(!page.contains("data-fresh-until=\""))
    #expect(
      PageSamples.page { $0.freshUntil = PageSamples.now }.contains(" data-fresh-until=\"2026-11-20T16:10:00Z\">"))
  }

  @Test("the chart of posts can show no data, negative numbers, very large numbers and few hours")
  func oddChart() {
    #expect(
      HourChart(hours: Array(repeating: 0, count: 168), now: PageSamples.now).html.text.contains("No posts in the last")
    )
    let odd = HourChart(hours: [-5, .max, .max], now: Timestamp(seconds: -5)).html.text
    #expect(PageSamples.count("<rect", in: odd) == 2)
  }
}
