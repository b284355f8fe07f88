internal import Commands
internal import ControlProtocol
internal import Formats
internal import Platform
internal import Posting
internal import Settings
internal import Storage
internal import Time
internal import Timeline

extension StatusReport {
  package func condition(of account: AccountStatus) -> AccountCondition {
    if let reason = inactivity(of: account) { return AccountCondition(level: .inactive, remark: reason) }
    let activity = activity(of: account).map { "\($0); " } ?? ""
    let posts = postsRemark(about: account)
    if let fault = fault(of: account) {
      return AccountCondition(level: .bad, remark: activity + Self.joined(fault, posts))
    }
    if let warning = warning(about: account) {
      return AccountCondition(level: .warning, remark: activity + Self.joined(warning, posts))
    }
    if let timelines = remarkOnTimelines(of: account) {
      return AccountCondition(level: timelines.level, remark: activity + Self.joined(timelines.text, posts))
    }
    if let posts { return AccountCondition(level: .warning, remark: activity + posts) }
    return AccountCondition(level: .good, remark: news(of: account))
  }

  private static func joined(_ sentence: String, _ other: String?) -> String {
    guard let other else { return sentence }
    return sentence + (sentence.hasSuffix(".") ? " " : ". ") + other
  }

  /// Returns which posts wait, until when and why; `nil` if there are none, or if they wait only for the time that the user chose.
  private func postsRemark(about account: AccountStatus) -> String? {
    let posts = account.waitingPosts.filter { !$0.isScheduled }
    guard let first = posts.first else { return nil }
    let count = posts.count == 1 ? "1 post waits" : "\(posts.count) posts wait"
    return "\(count) in the outbox\(end(of: first))"
  }

  /// Returns until when and why a post waits, as the end of a sentence.
  func end(of post: WaitingPost) -> String {
    (post.until.map { " until \(times.exact(of: $0))" } ?? "")
      + (post.reason.map { ": \(SafeText.line(of: $0))" } ?? "")
  }

  /// Returns whether the last refresh succeeded and the next one is not overdue.
  package func isFresh(_ account: AccountStatus) -> Bool {
    refreshedAt(of: account) != nil && account.home?.staleSince == nil && !isOverdue(account)
  }

  /// Whether an account is refreshed only while a service is running.
  package var needsService: Bool {
    accounts.contains { account in
      guard let settings = account.settings, settings.isEnabled, account.hasTimeline else { return false }
      guard settings.drive?.needsLogin != false else { return true }
      if case .held(_, _, let lifetime) = account.token {
        return lifetime.refusal != .final && account.home?.problem?.code != .notAuthorised
      }
      return false
    }
  }

  /// Whether the refresh of an account is overdue.
  package var isOverdue: Bool { accounts.contains { $0.settings?.isEnabled == true && isOverdue($0) } }

  private func inactivity(of account: AccountStatus) -> String? {
    if account.isOrphan { return "no longer in the configuration" }
    guard let settings = account.settings else { return nil }
    if !settings.isEnabled { return "not enabled. To enable it: homeline account enable \(account.name)" }
    if let drive = settings.drive, !drive.isServed, let objection = drive.feedObjection {
      return "for homeline drive only: \(objection)"
    }
    return nil
  }

  private func fault(of account: AccountStatus) -> String? {
    if let fault = loginFault(of: account) { return fault }
    guard let problem = problem(of: account), Self.level(of: problem) == .bad else { return nil }
    return SafeText.line(of: problem.message)
  }

  /// Whether nothing of the account can be refreshed before its user does something.
  func needsLogin(_ account: AccountStatus) -> Bool { loginFault(of: account) != nil }

  private func loginFault(of account: AccountStatus) -> String? {
    if let problem = account.problems.first { return SafeText.line(of: problem) }
    switch account.token {
    case .none:
      if account.settings?.drive?.needsLogin != false {
        return "not authorised. To authorise it: homeline login \(account.name)"
      }
    case .held(_, _, let lifetime):
      let hasEnded = lifetime.loginNeededBy.map { $0 <= now } ?? (lifetime.refusal == .final)
      if hasEnded || account.home?.problem?.code == .notAuthorised { return life(of: account, lifetime) }
    case .unreadable: break
    }
    return nil
  }

  /// Returns whether a problem may resolve itself.
  static func level(of problem: Problem) -> AccountCondition.Level {
    switch problem.code {
    case .notAuthorised, .closed, .locked, .storage, .configuration, .secretUnavailable: .bad
    case .rateLimited, .network, .provider, .paused, .budget: .warning
    }
  }

  /// Returns what is wrong, and when homeline tries again.
  func sentence(about problem: Problem) -> String {
    let retry = problem.retryAt.map { ". Next attempt: \(times.place(of: $0))" } ?? ""
    let message = SafeText.line(of: problem.message)
    return (message.hasSuffix(".") && !retry.isEmpty ? String(message.dropLast()) : message) + retry
  }

  private func warning(about account: AccountStatus) -> String? {
    if let problem = problem(of: account) { return sentence(about: problem) }
    if case .held(_, _, let lifetime) = account.token {
      let isEnding = lifetime.loginNeededBy.map { $0 - now <= Self.loginWarning } ?? false
      if isEnding || lifetime.refusal == .repeated { return life(of: account, lifetime) }
    }
    if let objection = account.settings?.drive?.feedObjection { return objection }
    if isOverdue(account) {
      return owner == nil ? "the refresh is overdue, and no service is running" : "the refresh is overdue"
    }
    if let missing = account.readMarkPermission { return "\(missing.problem). \(missing.advice)" }
    return account.settings == nil ? "the configuration has errors" : nil
  }

  /// How long before the end of a login the account's line mentions it; the service logs its first warning at the same time.
  private static let loginWarning = Duration.seconds(7 * 86400)

  private func isOverdue(_ account: AccountStatus) -> Bool {
    guard (standing(of: account)?.activity ?? .idle) == .idle, let next = nextRefreshAt(of: account) else {
      return false
    }
    return Freshness(refreshedAt: refreshedAt(of: account), nextRefreshAt: next).refreshDue < now
  }

  /// Returns the work in progress; `nil` if there is none.
  private func activity(of account: AccountStatus) -> String? {
    guard let standing = standing(of: account) else { return nil }
    if let upload = standing.upload { return "uploading \(min(100, upload.done / max(1, upload.total / 100)))%" }
    return standing.activity == .idle ? nil : standing.activity.name
  }

  private func news(of account: AccountStatus) -> String {
    if let activity = activity(of: account) { return activity }
    if let standing = standing(of: account), standing.nextRefreshAt == nil, let reason = standing.waitsFor,
      account.hasTimeline
    {
      return SafeText.line(of: reason)
    }
    if let spending = AccountSpending(of: account, at: now), spending.most != nil {
      return "\(MicroUSD.text(spending.today.countedMicroUSD)) USD today"
    }
    return account.hasTimeline ? account.filteredText ?? "" : "only for its token"
  }
}
