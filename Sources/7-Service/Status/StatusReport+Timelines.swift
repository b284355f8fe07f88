internal import Commands
internal import ControlProtocol
internal import Formats
internal import Storage
package import Time
package import Timeline

/// The timelines of an account.
extension StatusReport {
  /// Returns the timelines of an account that the report is about: all of them, or the one that the user named.
  package func timelines(of account: AccountStatus) -> [TimelineStatus] {
    account.timelines.filter { only == nil || $0.name == only }
  }

  /// Returns the timelines beside home that an account's own members and lines do not describe.
  func others(of account: AccountStatus) -> [TimelineStatus] {
    timelines(of: account).filter { $0.name != .home }
  }

  /// Returns the status of a timeline, as reported by the state owner.
  private func standing(of timeline: TimelineStatus, _ account: AccountStatus) -> ControlStatus.Timeline? {
    standing(of: account)?.timelines.first { $0.name == timeline.name.description }
  }

  /// Returns the time of the last successful refresh. The state owner knows it before it is stored.
  package func refreshedAt(of timeline: TimelineStatus, _ account: AccountStatus) -> Timestamp? {
    if timeline.name == .home { return refreshedAt(of: account) }
    return standing(of: timeline, account)?.freshness?.refreshedAt ?? timeline.state?.refreshedAt
  }

  /// Returns the time of the next refresh.
  package func nextRefreshAt(of timeline: TimelineStatus, _ account: AccountStatus) -> Timestamp? {
    if timeline.name == .home { return nextRefreshAt(of: account) }
    return standing(of: timeline, account)?.nextRefreshAt ?? timeline.state?.nextRefreshAt
  }

  /// Returns the last problem.
  package func problem(of timeline: TimelineStatus, _ account: AccountStatus) -> Problem? {
    timeline.name == .home ? problem(of: account) : timeline.state?.problem
  }

  /// Returns whether a timeline works. A timeline of an account that does not work is not refreshed either.
  package func condition(of timeline: TimelineStatus, _ account: AccountStatus) -> AccountCondition {
    let own = condition(of: account)
    if timeline.name == .home || own.level == .inactive || needsLogin(account) { return own }
    guard let problem = problem(of: timeline, account) else { return AccountCondition(level: .good, remark: "") }
    return AccountCondition(level: Self.level(of: problem), remark: sentence(about: problem))
  }

  /// Returns the problems of the timelines beside home, each with the name of its timeline; `nil` if there are none.
  func remarkOnTimelines(of account: AccountStatus) -> (level: AccountCondition.Level, text: String)? {
    let found = others(of: account).compactMap { timeline in
      problem(of: timeline, account).map { (name: timeline.name.description, problem: $0) }
    }
    guard let first = found.first else { return nil }
    let others = found.count == 1 ? "" : "; \(found.count - 1) more with -v"
    let isBad = found.contains { Self.level(of: $0.problem) == .bad }
    return (isBad ? .bad : .warning, "\(SafeText.line(of: first.name)): \(sentence(about: first.problem))\(others)")
  }

  /// One line for each timeline: its name, as users write it, and the number of its unread posts. Timelines without posts so far are left
  /// out.
  package var unread: String {
    accounts.filter(\.hasTimeline).flatMap { account in
      timelines(of: account).compactMap { timeline in
        timeline.unread.map { "\(account.key(of: timeline)) \($0)\n" }
      }
    }.joined()
  }

  /// Returns a timeline's row of a paragraph with all details. The times are relative, so that they fit into a line of a terminal.
  func details(of timeline: TimelineStatus, _ account: AccountStatus) -> String {
    var parts = timeline.unread.map { ["\($0) unread"] } ?? []
    parts.append(refreshedAt(of: timeline, account).map { "refreshed \(times.distance(to: $0))" } ?? "never refreshed")
    parts.append(
      nextRefreshAt(of: timeline, account).map { "next refresh \(times.distance(to: $0))" } ?? "no refresh scheduled")
    if let problem = problem(of: timeline, account) { parts.append(text(of: problem)) }
    if let path = timeline.path { parts.append(path) }
    return parts.joined(separator: ", ")
  }
}
