internal import CivilTime
internal import Timeline

/// A timeline's overview: its user, freshness, activity and cost.
enum PageOverview {
  static func html(of publication: Publication) -> String {
    let head = publication.head
    let time = PageTime(now: publication.madeAt)
    return """
      <header class="overview">
      \(person(publication))\(PageNotice(head: head, time: time, renewal: publication.renewal).html)\(facts(publication, time))\
      \(HourChart(hours: publication.overview.hours, now: publication.madeAt).html)\
      <p class="fine"><span id="zone">Times and days are in UTC; ages are counted from \(time.clock(publication.madeAt)), \
      when this page was written.</span> <button id="keys" type="button" hidden>Keys <kbd>?</kbd></button></p>
      </header>

      """
  }

  private static func person(_ publication: Publication) -> String {
    let head = publication.head
    let user = head.user
    let avatar = user.map { PageAvatar(pictures: PagePictures(paths: publication.pictures)).html(of: $0) } ?? ""
    let whose = user.map { " of <span class=\"name\">\(PageText.isolated(PageName.shown($0)))</span>" } ?? ""
    let screenName = user?.screenName ?? ""
    let handle = screenName.isEmpty ? "" : "\n<p>\(PageText.isolated("@" + screenName))</p>"
    let provider = head.provider.isEmpty ? "" : " <small>\(PageText.isolated(head.provider))</small>"
    return """
      <div class="person">\(avatar)<div><h1>\(PageText.isolated(head.account))\(provider)</h1>
      <p>Home timeline\(whose)</p>\(handle)</div></div>

      """
  }

  private static func facts(_ publication: Publication, _ time: PageTime) -> String {
    let head = publication.head
    let shown = publication.posts.count
    let kept = max(publication.overview.kept, shown)
    let spending = publication.overview.spending.map(PageText.isolated).joined(separator: "<br>")
    var rows = ""
    // While refreshes succeed, an unchanged page may remain for an hour, so it does not show when the last refresh took place.
    if head.freshUntil == nil, let at = head.refreshedAt {
      rows += row("Last refresh", "\(time.clock(at)) <span class=\"ago\">(\(time.age(of: at)))</span>")
    }
    if let newest = publication.posts.first { rows += row("Newest post", time.age(of: newest.post.createdAt)) }
    if let at = head.freshUntil { rows += row("Fresh until", time.clock(at)) }
    rows += row("Posts", kept > shown ? "\(shown) shown, \(PageCounts.grouped(kept)) stored" : "\(shown)")
    rows += row("Unread", "\(head.unread)")
    if let end = head.loginNeededBy { rows += row("Login expires", time.clock(end)) }
    if !spending.isEmpty { rows += row("Spent", spending, " class=\"wide\"") }
    return "<dl class=\"facts\">\n\(rows)</dl>\n"
  }

  private static func row(_ name: String, _ value: String, _ attributes: String = "") -> String {
    "<div\(attributes)><dt>\(name)</dt><dd>\(value)</dd></div>\n"
  }
}

/// A notice above the posts: the posts are old, or the login is about to expire.
struct PageNotice {
  let head: TimelineHead
  let time: PageTime
  /// The command that renders the page again; `nil` if the service does.
  let renewal: String?

  var html: String { problem + overdue + login }

  private var problem: String {
    guard let problem = head.problem else {
      guard let since = head.staleSince else { return "" }
      return Self.box("<p>No refresh has succeeded since \(time.clock(since)).</p>")
    }
    let advice = ProblemAdvice.text(for: problem, account: head.account)
    var text = "<p><strong dir=\"auto\">\(PageText.line(problem.message))</strong></p>"
    if !advice.isEmpty { text += "<p>\(PageText.line(advice))</p>" }
    if let since = head.staleSince { text += "<p>Nothing new since \(time.clock(since)).</p>" }
    if let retryAt = problem.retryAt { text += "<p>Next attempt at \(time.clock(retryAt)).</p>" }
    return Self.box(text)
  }

  /// The notice that the page is out of date. A service that has stopped cannot write another page, so every page contains this notice. It
  /// is hidden until the script finds that `freshUntil` has passed and that loading the page again has not helped or is not possible now.
  private var overdue: String {
    guard head.staleSince == nil, let end = head.freshUntil else { return "" }
    let text =
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

  private var login: String {
    guard let end = head.loginNeededBy, end - time.now < .seconds(7 * CivilDay.seconds) else { return "" }
    let left = DaysLeft.text(until: end, at: time.now)
    let text = left == "over" ? "The login has expired." : "The login expires in \(left)."
    return Self.box(
      "<p><strong>\(text)</strong></p><p>Run: <code>homeline login \(PageText.line(head.account))</code></p>")
  }

  private static func box(_ content: String, _ attributes: String = "") -> String {
    "<section class=\"notice\"\(attributes)>\(content)</section>\n"
  }
}

/// Advice on a problem for the page's reader.
enum ProblemAdvice {
  /// Returns one or two sentences of plain text; empty if the problem's message already contains advice.
  static func text(for problem: Problem, account: String) -> String {
    if problem.message.contains("homeline ") { return "" }
    return switch problem.code {
    case .notAuthorised: "Run: homeline login \(account)"
    case .rateLimited, .network, .provider: "No action is needed: homeline tries again automatically."
    case .closed: "Check with the provider whether your client may still read this timeline."
    case .locked: "Sign in at the provider's website and follow its instructions."
    case .paused: "Add credit at the provider, then run: homeline refresh \(account)"
    case .budget:
      "Refreshes resume when the budget period ends. To resume earlier, raise the budget in the configuration."
    case .storage: "Free disk space, or check that homeline may write to its folders."
    case .configuration: "Correct the configuration, then run: homeline check"
    case .secretUnavailable: "Make sure that the secret can be read, then run: homeline refresh \(account)"
    }
  }
}

/// A bar chart in SVG of the posts per hour, with a line at each midnight: in UTC until the script moves the lines to the midnights of the
/// reader's time zone.
///
/// Horizontal positions are percentages and vertical positions are pixels, so that text has the same size on a phone.
struct HourChart {
  /// The number of posts in each hour, ending with the current one.
  let hours: [Int]
  let now: Timestamp

  /// The chart as HTML; empty if the counts are not known.
  var html: String {
    guard !hours.isEmpty else { return "" }
    return """
      <figure class="chart">
      <svg id="chart" role="img" aria-labelledby="chart-title chart-summary" height="\(Self.height)" \
      data-start="\(start(ofHour: 0).rfc3339)" data-hours="\(hours.count)">
      <title id="chart-title">Posts per hour</title>
      <desc id="chart-summary"\(peak.map { " data-peak=\"\(start(ofHour: $0).rfc3339)\"" } ?? "")>\(summary)</desc>
      <g id="days">\(days)</g>\(bars)<text class="most" x="100%" y="11" text-anchor="end">peak: \(most)/h</text>
      </svg>
      <figcaption>Posts per hour</figcaption>
      </figure>

      """
  }

  /// The number of hours at the end of the chart from which a day has its label, and from which the label fits to the right of the day's
  /// line. In between, it ends at the chart's edge. On a narrow screen, an hour is 1.7 pixels wide and a label 25.
  static let labelled = 12
  static let wide = 18

  private static let height = 108
  private static let top = 18
  private static let base = 88

  private var most: Int { max(hours.max() ?? 0, 0) }
  private var total: Int { hours.reduce(0) { $0.addingReportingOverflow(max($1, 0)).partialValue } }

  /// The hour with the most posts; `nil` if there are no posts.
  private var peak: Int? { most > 0 ? hours.firstIndex(of: most) : nil }

  private var summary: String {
    guard let place = peak else { return "No posts in the last \(hours.count) hours." }
    return "\(total) in the \(hours.count) hours up to now; the highest number, \(most), in the hour from "
      + "\(PageTime.exact(start(ofHour: place)))."
  }

  private func start(ofHour place: Int) -> Timestamp {
    let hour = (now.seconds - (now.seconds % 3600 + 3600) % 3600)
    return Timestamp(seconds: hour - Int64(hours.count - 1 - place) * 3600)
  }

  private var bars: String {
    hours.indices.filter { hours[$0] > 0 }.map { place in
      // A bar has at least two pixels, so that a single post is visible.
      let height = max(2, Int((Double(hours[place]) / Double(most) * Double(Self.base - Self.top)).rounded()))
      let name = place == hours.count - 1 ? " class=\"bar now\"" : " class=\"bar\""
      return "<rect\(name) x=\"\(share(place))\" y=\"\(Self.base - height)\" width=\"\(share(1, of: 78))\""
        + " height=\"\(height)\"/>"
    }.joined() + "<line class=\"axis\" x1=\"0\" x2=\"100%\" y1=\"\(Self.base).5\" y2=\"\(Self.base).5\"/>"
  }

  private var days: String {
    hours.indices.filter { CivilDate(start(ofHour: $0)).hour == 0 }.map { place in
      let x = share(place)
      let mark = "<line class=\"day\" x1=\"\(x)\" x2=\"\(x)\" y1=\"\(Self.top)\" y2=\"\(Self.height - 2)\"/>"
      let left = hours.count - place
      guard left >= Self.labelled else { return mark }
      let name = PageTime.weekdays[CivilDate(start(ofHour: place)).weekday]
      let position = left < Self.wide ? "x=\"100%\" text-anchor=\"end\"" : "x=\"\(x)\" dx=\"4\""
      return mark + "<text \(position) y=\"\(Self.height - 4)\">\(name)</text>"
    }.joined()
  }

  /// Returns a number of hours, or of hundredths of an hour, as a percentage of the width.
  private func share(_ places: Int, of hundredths: Int = 100) -> String {
    let thousandths = places * hundredths * 1000 / hours.count
    let decimals = String(1000 + thousandths % 1000).dropFirst()
    return "\(thousandths / 1000).\(decimals)%"
  }
}
