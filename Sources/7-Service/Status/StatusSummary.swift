internal import Commands
internal import Formats
internal import Settings
internal import Storage
package import TerminalText
internal import Time
internal import Timeline

/// The human-readable report of `homeline status`: one line for each account.
///
/// ```
/// ✓ bird  @theSeanCook  12:04, 3 min ago    5 unread
/// ! cat   @mira_demo    09:40, 2 h ago     12 unread  the server does not respond. Next attempt: 12:30
/// ✗ dog                 never                         not authorised. To authorise it: homeline login dog
/// - fish                never                         not enabled. To enable it: homeline account enable fish
/// ```
package struct StatusSummary {
  private let rows: [Row]

  /// The maximum width of a name in columns.
  private static let widestName = 24

  /// Creates the report about each account, or about the timeline that the user named.
  package init(_ report: StatusReport) {
    rows = report.accounts.flatMap { account in
      report.only == nil
        ? [Row(account, in: report)] : report.timelines(of: account).map { Row($0, of: account, in: report) }
    }
  }

  /// Returns the lines, each followed by a line feed.
  ///
  /// If a line is wider than the terminal, the user is left out. If there is a remark, the time and the unread posts are left out too. The
  /// rest is wrapped.
  package func text(for form: TerminalForm) -> RenderedText {
    let widths = (0..<Row.cellCount).map { cell in rows.map { TextColumns.of($0.cells[cell].text) }.max() ?? 0 }
    let lines = rows.flatMap { row in
      let line = row.line(widths)
      // Some terminals begin a new line after the last column.
      let columns = form.columns.map { max(2, $0 - 1) }
      let isWide = columns.map { line.columns > $0 } ?? false
      return TextFlow.lines(isWide ? row.shortLine(widths) : line, to: columns)
    }
    return lines.map { $0.rendered(for: form) + RenderedText("\n") }.joined()
  }

  /// A line as cells: the mark, the account's name, the user, the time of the last refresh, the unread posts, and the remark.
  private struct Row {
    static let cellCount = 6
    let cells: [(text: String, style: StyledText.Style)]

    init(_ account: AccountStatus, in report: StatusReport) {
      let condition = report.condition(of: account)
      let isFresh = condition.level == .good || report.isFresh(account)
      self.init(
        condition, name: account.name, of: account, refreshedAt: report.refreshedAt(of: account), isFresh: isFresh,
        unread: account.unread, in: report)
    }

    init(_ timeline: TimelineStatus, of account: AccountStatus, in report: StatusReport) {
      let condition = report.condition(of: timeline, account)
      self.init(
        condition, name: SafeText.line(of: account.key(of: timeline)), of: account,
        refreshedAt: report.refreshedAt(of: timeline, account), isFresh: condition.level == .good,
        unread: timeline.unread, in: report)
    }

    private init(
      _ condition: AccountCondition, name: String, of account: AccountStatus, refreshedAt: Timestamp?, isFresh: Bool,
      unread: Int?, in report: StatusReport
    ) {
      let (mark, style): (String, StyledText.Style) =
        switch condition.level {
        case .good: ("✓", .good)
        case .inactive: ("-", .faint)
        case .warning: ("!", .warning)
        case .bad: ("✗", .bad)
        }
      var user = ""
      if case .held(let holder, _, _) = account.token, !holder.isUnknown {
        user = "@" + SafeText.line(of: holder.screenName)
      }
      let refreshed = refreshedAt.map(report.times.text) ?? "never"
      let unread = unread.flatMap { $0 > 0 ? "\($0) unread" : nil } ?? ""
      cells = [
        (mark, style), (Self.shortened(name), .strong), (Self.shortened(user), .plain),
        (refreshed, isFresh ? .plain : .faint), (unread, .accent),
        (condition.remark, condition.level == .inactive ? .faint : condition.level == .good ? .plain : style),
      ]
    }

    /// Returns the line with all cells.
    /// - Parameter widths: the widths of all cells. A cell that is empty in each line is left out.
    func line(_ widths: [Int]) -> StyledText {
      var line = StyledText()
      let last = cells.lastIndex { !$0.text.isEmpty } ?? 0
      for (index, cell) in cells.enumerated() where widths[index] > 0 && index <= last {
        // Numbers are aligned by their last digit.
        let space = String(repeating: " ", count: widths[index] - TextColumns.of(cell.text))
        let isNumber = index == 4
        if isNumber { line.append(space) }
        line.append(cell.text, cell.style)
        if !isNumber, index < last { line.append(space) }
        if index < last { line.append(index == 0 ? " " : "  ") }
      }
      return line
    }

    /// Returns the mark, the name and the remark, which are more important than the other cells. Without a remark, only the user is left
    /// out.
    func shortLine(_ widths: [Int]) -> StyledText {
      if cells[5].text.isEmpty {
        var widths = widths
        widths[2] = 0
        return line(widths)
      }
      var line = StyledText(cells[0].text, cells[0].style)
      line.append(" ")
      line.append(TextColumns.padded(cells[1].text, to: widths[1]), cells[1].style)
      line.append("  ")
      line.append(cells[5].text, cells[5].style)
      return line
    }

    private static func shortened(_ name: String) -> String {
      StyledText(name).cut(to: StatusSummary.widestName).plainText
    }
  }
}
