package import HTTP
internal import Time
internal import Timeline

/// A notice above the posts: the posts are old, or the login is about to expire.
package struct PageNotice {
  let head: TimelineHead
  let time: PageTime
  /// The command that renders the page again; `nil` if the service does.
  let renewal: String?

  package init(head: TimelineHead, time: PageTime, renewal: String?) {
    self.head = head
    self.time = time
    self.renewal = renewal
  }

  package var html: Markup { problem + overdue + login }

  private var problem: Markup {
    guard let problem = head.problem else {
      guard let since = head.staleSince else { return "" }
      return Self.box("<p>No refresh has succeeded since \(time.clock(since)).</p>")
    }
    let advice = ProblemAdvice.text(for: problem, account: head.account)
    var text: Markup = "<p><strong dir=\"auto\">\(PageText.line(problem.message))</strong></p>"
    if !advice.isEmpty { text += "<p>\(PageText.line(advice))</p>" }
    if let since = head.staleSince { text += "<p>Nothing new since \(time.clock(since)).</p>" }
    if let retryAt = problem.retryAt { text += "<p>Next attempt at \(time.clock(retryAt)).</p>" }
    return Self.box(text)
  }

  /// The notice that the page is out of date. A service that has stopped cannot write another page, so every page contains this notice. It
  /// stays hidden until the script finds that `freshUntil` has passed, and that reloading the page did not help or is not possible.
  private var overdue: Markup {
    guard head.staleSince == nil, let end = head.freshUntil else { return "" }
    let text: Markup =
      if let renewal {
        "<p><strong>These posts are old.</strong></p><p>To update this page: <code>\(PageText.line(renewal))</code></p>"
      } else {
        "<p><strong>These posts are old: this page was not updated in time.</strong></p>"
          + "<p>Reload the page. If this does not help, check that the service is running: "
          + "<code>systemctl --user status homeline</code></p>"
      }
    if head.isStale(at: time.now) { return Self.box(text) }
    return Self.box(text, " hidden data-after=\"\(end.rfc3339)\"")
  }

  private var login: Markup {
    guard let end = head.loginNeededBy, end - time.now < .seconds(7 * CivilDay.seconds) else { return "" }
    let left = DaysLeft.text(until: end, at: time.now)
    let text = left == "over" ? "The login has expired." : "The login expires in \(left)."
    return Self.box(
      "<p><strong>\(text)</strong></p><p>Run: <code>homeline login \(PageText.line(head.account))</code></p>")
  }

  private static func box(_ content: Markup, _ attributes: Markup = "") -> Markup {
    "<section class=\"notice\"\(attributes)>\(content)</section>\n"
  }
}
