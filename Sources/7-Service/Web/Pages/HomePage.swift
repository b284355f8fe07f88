internal import ControlProtocol
internal import Formats
internal import HTTP
internal import Settings
internal import Time

/// `/`: all accounts and views, and what is wrong with them.
struct HomePage: Sendable {
  let data: WebData

  var routes: [Route] { [.get("/") { [self] _ in .page(page()) }] }

  private func page() -> WebPage {
    let configuration = data.configuration
    let status = data.serviceStatus
    let now = data.clock.now
    let accounts = zip(configuration.accounts, status.accounts).filter { $0.0.hasTimeline() }
      .map { row($0, $1, at: now) }
    let views = configuration.views.map { view -> Markup in
      "<li><a href=\"\(WebAddress.view(view.name).text)\">\(view.name.text)</a></li>\n"
    }
    var content = Markup()
    content +=
      accounts.isEmpty
      ? "<p>There is no account yet. To add one, run <code>homeline login</code>.</p>\n"
      : "<h2>Accounts</h2>\n<ul class=\"rows\">\n\(accounts.joined())</ul>\n"
    if !views.isEmpty { content += "<h2>Views</h2>\n<ul class=\"rows\">\n\(views.joined())</ul>\n" }
    return WebPage("Home", at: .home, content)
  }

  private func row(_ account: AccountSettings, _ status: ControlStatus.Account, at now: Timestamp) -> Markup {
    let refreshed: Markup =
      status.freshness?.refreshedAt.map { "<span class=\"fact\">refreshed \(Age(of: $0, at: now).description)</span>" }
      ?? Markup()
    let troubles = [status.notStored, status.waitsFor].compactMap { $0 }.map { trouble -> Markup in
      "<span class=\"trouble\">\(trouble)</span>"
    }
    return """
      <li><a href="\(WebAddress.timeline(.home(of: account.name)).text)">\(account.name.text)</a>\
      \(refreshed)\(troubles.joined())</li>

      """
  }
}
