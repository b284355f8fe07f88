internal import CivilTime
internal import Timeline

/// What the reader should know before the posts: they are old, or soon will be.
struct PageNotice {
  let head: TimelineHead
  let time: PageTime

  var html: String { problem + overdue + login }

  private var problem: String {
    guard let problem = head.problem else {
      guard let since = head.staleSince else { return "" }
      return Self.box("<p>No refresh has succeeded since \(time.clock(since)).</p>")
    }
    let advice = ProblemAdvice.words(for: problem, account: head.account)
    var words = "<p><strong dir=\"auto\">\(PageText.line(problem.message))</strong></p>"
    if !advice.isEmpty { words += "<p>\(PageText.line(advice))</p>" }
    if let since = head.staleSince { words += "<p>Nothing new since \(time.clock(since)).</p>" }
    if let retryAt = problem.retryAt { words += "<p>It is asked again at \(time.clock(retryAt)).</p>" }
    return Self.box(words)
  }

  /// The script shows it when its time has come: a service that died cannot write another page.
  private var overdue: String {
    guard head.staleSince == nil, let next = head.nextRefreshAt else { return "" }
    let words =
      "<p><strong>The planned refresh is overdue.</strong></p>"
      + "<p>See whether the service runs: <code>systemctl --user status homeline</code></p>"
    if head.isStale(at: time.now) { return Self.box(words) }
    let interval = head.refreshedAt.map { next - $0 } ?? .zero
    return Self.box(words, " hidden data-after=\"\((next + max(interval, .seconds(60))).rfc3339)\"")
  }

  private var login: String {
    guard let end = head.loginNeededBy, end - time.now < .seconds(7 * CivilDay.seconds) else { return "" }
    let left = DaysLeft.words(until: end, at: time.now)
    let words = left == "over" ? "The login has ended." : "The login ends in \(left)."
    return Self.box(
      "<p><strong>\(words)</strong></p><p>Run: <code>homeline login \(PageText.line(head.account))</code></p>")
  }

  private static func box(_ content: String, _ attributes: String = "") -> String {
    "<section class=\"notice\"\(attributes)>\(content)</section>\n"
  }
}
