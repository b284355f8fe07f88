internal import CivilTime
internal import Timeline

/// The head that the reader sees: whose timeline it is, how fresh, how busy, and what it costs.
enum PageOverview {
  static func html(of publication: Publication) -> String {
    let head = publication.head
    let time = PageTime(now: publication.madeAt)
    return """
      <header class="overview">
      \(person(publication))\(PageNotice(head: head, time: time).html)\(facts(publication, time))\
      \(HourChart(hours: publication.overview.hours, now: publication.madeAt).html)\
      <p class="fine"><span id="zone">Times are in UTC; ages are counted from \(time.clock(publication.madeAt)), \
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
    // While refreshes succeed, a page that stays for an hour does not know of the last one.
    if head.freshUntil == nil, let at = head.refreshedAt {
      rows += row("Last refresh", "\(time.clock(at)) <span class=\"ago\">(\(time.age(of: at)))</span>")
    }
    if let at = head.freshUntil { rows += row("Fresh until", time.clock(at)) }
    rows += row("Posts", kept > shown ? "\(shown) here, \(PageCounts.grouped(kept)) kept" : "\(shown)")
    rows += row("Not read yet", "\(head.unread)")
    if let end = head.loginNeededBy { rows += row("Login until", time.clock(end)) }
    if !spending.isEmpty { rows += row("Spent", spending, " class=\"wide\"") }
    return "<dl class=\"facts\">\n\(rows)</dl>\n"
  }

  private static func row(_ name: String, _ value: String, _ attributes: String = "") -> String {
    "<div\(attributes)><dt>\(name)</dt><dd>\(value)</dd></div>\n"
  }
}

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

  /// Hidden until the script finds that the promise is over: a service that died cannot write another page.
  private var overdue: String {
    guard head.staleSince == nil, let end = head.freshUntil else { return "" }
    let text =
      "<p><strong>These posts are old: this page was not renewed in time.</strong></p>"
      + "<p>Check that the service is running: <code>systemctl --user status homeline</code></p>"
    if head.isStale(at: time.now) { return Self.box(text) }
    return Self.box(text, " hidden data-after=\"\(end.rfc3339)\"")
  }

  private var login: String {
    guard let end = head.loginNeededBy, end - time.now < .seconds(7 * CivilDay.seconds) else { return "" }
    let left = DaysLeft.text(until: end, at: time.now)
    let words = left == "over" ? "The login has ended." : "The login ends in \(left)."
    return Self.box(
      "<p><strong>\(words)</strong></p><p>Run: <code>homeline login \(PageText.line(head.account))</code></p>")
  }

  private static func box(_ content: String, _ attributes: String = "") -> String {
    "<section class=\"notice\"\(attributes)>\(content)</section>\n"
  }
}

/// What the reader of a page can do about a problem.
enum ProblemAdvice {
  /// A sentence or two; empty where the problem's own words say it already. No markup: to be escaped.
  static func words(for problem: Problem, account: String) -> String {
    if problem.message.contains("homeline ") { return "" }
    return switch problem.code {
    case .notAuthorised: "Run: homeline login \(account)"
    case .rateLimited, .network, .provider: "There is nothing to do: it is asked again without you."
    case .closed: "See at the provider whether this timeline is still offered to your client."
    case .locked: "Sign in at the provider's own site and see what it wants of you."
    case .paused: "Add credit at the provider, then run: homeline refresh \(account)"
    case .budget:
      "It goes on by itself when the limit's time is over. To have it sooner, raise the budget in the configuration."
    case .storage: "Make room on the disk, or see whether homeline may write to its folders."
    case .configuration: "Correct the configuration, then run: homeline check"
    case .secretUnavailable: "See that the secret can be read, then run: homeline refresh \(account)"
    }
  }
}

/// The posts of each hour as bars, with a mark at each midnight (UTC), in SVG.
///
/// Places across are shares of the width and places down are pixels, so that the words keep their size on a phone.
struct HourChart {
  /// The hour that is going on is the last one.
  let hours: [Int]
  let now: Timestamp

  /// An empty text where the hours are not known.
  var html: String {
    guard !hours.isEmpty else { return "" }
    return """
      <figure class="chart">
      <svg role="img" aria-labelledby="chart-title chart-words" height="\(Self.height)">
      <title id="chart-title">Posts per hour</title>
      <desc id="chart-words">\(words)</desc>
      \(days)\(bars)<text class="most" x="100%" y="11" text-anchor="end">\(most) in an hour</text>
      </svg>
      <figcaption>Posts per hour, by days of UTC</figcaption>
      </figure>

      """
  }

  private static let height = 108
  private static let top = 18
  private static let base = 88

  private var most: Int { max(hours.max() ?? 0, 0) }
  private var total: Int { hours.reduce(0) { $0.addingReportingOverflow(max($1, 0)).partialValue } }

  private var words: String {
    guard most > 0, let place = hours.firstIndex(of: most) else { return "None came in these \(hours.count) hours." }
    return "\(total) in the \(hours.count) hours up to now; the most, \(most), in the hour from "
      + "\(PageTime.exact(start(ofHour: place)))."
  }

  private func start(ofHour place: Int) -> Timestamp {
    let hour = (now.seconds - (now.seconds % 3600 + 3600) % 3600)
    return Timestamp(seconds: hour - Int64(hours.count - 1 - place) * 3600)
  }

  private var bars: String {
    hours.indices.filter { hours[$0] > 0 }.map { place in
      // At least two pixels: one post should not look like none.
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
      // A name needs the room of half a day.
      guard hours.count - place >= 12 else { return mark }
      let name = PageTime.weekdays[CivilDate(start(ofHour: place)).weekday]
      return mark + "<text x=\"\(x)\" y=\"\(Self.height - 4)\" dx=\"4\">\(name)</text>"
    }.joined()
  }

  /// So many hours, or hundredths of them, as a share of the width.
  private func share(_ places: Int, of hundredths: Int = 100) -> String {
    let thousandths = places * hundredths * 1000 / hours.count
    let decimals = String(1000 + thousandths % 1000).dropFirst()
    return "\(thousandths / 1000).\(decimals)%"
  }
}
