internal import Formats
internal import HTTP
internal import Settings
internal import Status
internal import Time
internal import Timeline

/// `/`: all accounts and views, their unread posts, and what is wrong with them.
struct HomePage: Sendable {
  let data: WebData

  var routes: [Route] { [.get("/") { [self] (request) throws(WebError) in .page(try page()) }] }

  private func page() throws(WebError) -> WebPage {
    let report = try data.statusReport()
    let accounts = report.accounts.filter { $0.settings != nil && $0.hasTimeline }.map { rows(of: $0, in: report) }
    let views = data.configuration.views.map { view -> Markup in
      """
      <li><a href="\(WebAddress.view(view.name).text)">\(view.name.text)</a>\(Self.count(data.unread(of: view) ?? 0))</li>

      """
    }
    var content = Markup()
    content +=
      accounts.isEmpty
      ? "<p>There is no account yet. To add one, run <code>homeline login</code>.</p>\n"
      : "<h2>Accounts</h2>\n<ul class=\"rows\">\n\(accounts.joined())</ul>\n"
    if !views.isEmpty { content += "<h2>Views</h2>\n<ul class=\"rows\">\n\(views.joined())</ul>\n" }
    var page = WebPage("Home", at: .home, content)
    page.live = .home
    return page
  }

  /// The rows of an account's timelines. What is wrong with the account is in the first one.
  private func rows(of account: AccountStatus, in report: StatusReport) -> Markup {
    account.timelines.map { row($0, of: account, in: report) }.joined()
  }

  private func row(_ timeline: TimelineStatus, of account: AccountStatus, in report: StatusReport) -> Markup {
    guard let name = account.settings?.name else { return "" }
    let condition = report.condition(of: timeline, account)
    let isWrong = condition.level == .bad || condition.level == .warning
    let refreshed: Markup =
      report.refreshedAt(of: timeline, account).map {
        "<span class=\"fact\">refreshed \(Age(of: $0, at: report.now).ago)</span>"
      } ?? ""
    let trouble: Markup = isWrong ? "<span class=\"trouble\">\(PageText.line(condition.remark))</span>" : ""
    let address = WebAddress.timeline(TimelineKey(account: name, timeline: timeline.name)).text
    return """
      <li><a href="\(address)">\(PageText.isolated(account.key(of: timeline)))</a>\(Self.count(timeline.unread ?? 0))\(refreshed)\(trouble)</li>

      """
  }

  /// The number of unread posts. The script updates it, so the element is always there.
  private static func count(_ unread: Int) -> Markup {
    let state: Markup = unread > 0 ? "" : " hidden"
    return "<span class=\"fact count\"\(state)>\(unread) unread</span>"
  }
}
