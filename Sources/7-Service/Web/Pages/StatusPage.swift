internal import Commands
internal import ControlProtocol
internal import Diagnosis
internal import Folders
internal import Formats
internal import HTTP
internal import Settings
internal import Status
internal import Storage
internal import Time

/// `/status`: everything known about each account, and what the quick checks of `homeline doctor` find.
struct StatusPage: Sendable {
  let data: WebData
  let changes: WebChanges

  var routes: [Route] {
    StatusActs(data: data, changes: changes).routes + [
      .get("/status") { [self] (request) throws(WebError) in
        try request.query.check(names: [])
        return .page(WebPage("Status", at: .status, html(of: try data.statusReport())))
      }
    ]
  }

  private func html(of report: StatusReport) -> Markup {
    var html = report.configurationProblems.map {
      "<section class=\"notice\"><p>\($0)</p></section>\n" as Markup
    }.joined()
    html += zip(report.accounts, report.paragraphs).map { account, paragraph in
      section(report.condition(of: account), paragraph, buttons: StatusActs.buttons(for: account.settings))
    }.joined()
    if report.accounts.isEmpty {
      html += "<p>There is no account yet. To add one, run <code>homeline login</code>.</p>\n"
    }
    return (report.accounts.count > 1 ? StatusActs.refreshingAll : "") + html + checks
  }

  private func section(_ condition: AccountCondition, _ paragraph: StatusParagraph, buttons: Markup) -> Markup {
    let rows = paragraph.rows.map { row -> Markup in
      "<div><dt>\(PageText.line(row.name))</dt><dd>\(PageText.line(row.value))</dd></div>\n"
    }
    let remark: Markup =
      condition.remark.isEmpty
      ? "" : "<p class=\"\(Self.style(of: condition.level))\">\(PageText.line(condition.remark))</p>\n"
    return """
      <section class="account">
      <h2>\(PageText.line(paragraph.title))</h2>
      <p class="\(Self.style(of: condition.level))">\(Self.name(of: condition.level))</p>
      \(remark)\(paragraph.note.map { "<p>\(PageText.line($0))</p>\n" as Markup } ?? "")\
      <dl class="details">
      \(rows.joined())</dl>
      \(buttons)</section>

      """
  }

  private var checks: Markup {
    guard let result = data.diagnosis(data.serviceStatus) else { return "" }
    let findings = result.findings.map { entry -> Markup in
      let advice: Markup = entry.finding.nextStep.map { ". \(PageText.line($0.plain))" } ?? ""
      return """
        <div class="\(Self.style(of: entry.finding.level))"><dt>\(entry.check)</dt>\
        <dd><strong>\(entry.finding.level.rawValue)</strong> \(PageText.line(entry.finding.text.plain))\(advice)</dd></div>

        """
    }
    return """
      <section class="checks">
      <h2>Checks</h2>
      <dl class="details">
      \(findings.joined())</dl>
      <p>These are the quick checks. To check the servers, the databases and the keyring too, run <code>homeline doctor</code>.</p>
      </section>

      """
  }

  private static func name(of level: AccountCondition.Level) -> Markup {
    switch level {
    case .good: "✓ works"
    case .inactive: "– not refreshed"
    case .warning: "! something is wrong"
    case .bad: "✗ does not work"
    }
  }

  private static func style(of level: AccountCondition.Level) -> Markup {
    switch level {
    case .good: "good"
    case .inactive: "inactive"
    case .warning: "warning"
    case .bad: "bad"
    }
  }

  private static func style(of level: Finding.Level) -> Markup {
    switch level {
    case .ok: "good"
    case .warning: "warning"
    case .fault: "bad"
    }
  }
}

extension WebData {
  /// Reads the status of all accounts from their files, and takes the rest from the service.
  func statusReport() throws(WebError) -> StatusReport {
    let (configuration, status, now) = (configuration, serviceStatus, clock.now)
    let accounts: ReportedAccounts
    do throws(StorageError) {
      accounts = try ReportedAccounts(configuration, isComplete: true, layout: layout, storage: storage)
    } catch { throw WebError(.serviceUnavailable, "The accounts cannot be listed", "\(error)") }
    return StatusReport(
      owner: Owner(processID: status.owner.processID, controlSocket: nil, command: status.owner.command),
      ownerStatus: status, configurationPath: status.owner.configuration,
      configurationProblems: status.owner.configurationProblem.map { [$0] } ?? [], media: configuration.media,
      views: configuration.views, accounts: accounts.read(at: now), now: now)
  }
}
