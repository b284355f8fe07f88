internal import CivilTime
internal import Control
internal import Publish
internal import Settings
internal import Store
internal import Timeline

extension StatusReport {
  /// For people: a paragraph an account.
  var text: String { accounts.map(paragraph).joined(separator: "\n") }

  private func paragraph(_ account: AccountStatus) -> String {
    var rows = [("authorised", authorisation(of: account))]
    if case .held(_, _, let outlook) = account.token { rows.append(("login", login(of: account, outlook))) }
    let state = account.state
    rows.append(("last refresh", state?.refreshedAt.map(when) ?? "never"))
    rows.append(("next refresh", nextRefresh(of: account)))
    if let activity = standing(of: account)?.activity, activity != .idle { rows.append(("now", activity.word)) }
    if let since = state?.staleSince { rows.append(("stale since", when(since))) }
    if let problem = problem(of: account) { rows.append(("last error", words(of: problem))) }
    if let limit = state?.rateLimit { rows.append(("limit", words(of: limit))) }
    if let spending = AccountSpending(of: account, at: now) { rows.append(("spent", spending.text)) }
    rows += account.problems.map { ("unreadable", $0) }
    if account.hasTimeline {
      rows.append(("timeline", account.files.timeline))
      rows.append(("database", account.files.database))
    }
    rows.append(("token", account.files.token))
    return title(of: account) + rows.map { "  \(padded($0.0))  \($0.1)\n" }.joined()
  }

  /// The owner's plan where it has one; what the files say is when the account would be due.
  private func nextRefresh(of account: AccountStatus) -> String {
    let standing = standing(of: account)
    let next = standing?.nextRefreshAt ?? account.state?.nextRefreshAt
    let waitsFor = standing?.nextRefreshAt == nil ? standing?.waitsFor : nil
    return (next?.rfc3339 ?? "none planned") + (waitsFor.map { " (\(SafeText.line(of: $0)))" } ?? "")
  }

  private func title(of account: AccountStatus) -> String {
    let remarks =
      if let settings = account.settings {
        settings.isEnabled ? settings.provider : "\(settings.provider), not enabled"
      } else {
        account.isOrphan ? "not in the configuration any more" : "the configuration has mistakes"
      }
    return "\(account.name) (\(remarks))\n"
  }

  private func authorisation(of account: AccountStatus) -> String {
    switch account.token {
    case .none: account.isOrphan ? "no" : "no; to begin: homeline login \(account.name)"
    case .held(let user, let since, _):
      "as \(SafeText.line(of: user.name)) @\(SafeText.line(of: user.screenName)) since \(since.rfc3339)"
    case .unreadable: "unknown"
    }
  }

  private func words(of problem: Problem) -> String {
    let retry = problem.retryAt.map { "; again from \($0.rfc3339) on" } ?? ""
    return "\(problem.code.rawValue): \(SafeText.line(of: problem.message))\(retry)"
  }

  private func words(of limit: RateLimit) -> String {
    let share = limit.limit.map { "\(limit.remaining) of \($0)" } ?? "\(limit.remaining)"
    return limit.reset < now ? "renewed at \(limit.reset.rfc3339)" : "\(share) left until \(limit.reset.rfc3339)"
  }

  private func when(_ time: Timestamp) -> String { "\(time.rfc3339) (\(Age(of: time, at: now)))" }

  private func padded(_ text: String) -> String { text + String(repeating: " ", count: max(0, 12 - text.count)) }
}
