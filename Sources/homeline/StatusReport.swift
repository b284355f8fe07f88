internal import CivilTime
internal import Control
internal import Files
internal import HTTP
internal import Platform
internal import Publish
internal import Settings
internal import Storage
internal import Timeline

/// The report of `homeline status`.
struct StatusReport {
  /// The current owner of the state.
  let owner: Owner?
  /// The status reported by the process that owns the state; nil if there is no such process, or it does not reply.
  let ownerStatus: ControlStatus?
  /// The status of each account by name, as reported by the process that owns the state.
  private let standings: [String: ControlStatus.Account]
  let configurationPath: String
  /// The errors in the configuration, one line each.
  let configurationProblems: [String]
  /// The settings for pictures; nil if the configuration is invalid.
  let media: MediaSettings?
  /// The views in the configuration's order.
  let views: [ViewSettings]
  /// The accounts in the configuration's order.
  let accounts: [AccountStatus]
  let now: Timestamp

  init(
    owner: Owner?, ownerStatus: ControlStatus?, configurationPath: String, configurationProblems: [String],
    media: MediaSettings?, views: [ViewSettings], accounts: [AccountStatus], now: Timestamp
  ) {
    self.owner = owner
    self.ownerStatus = ownerStatus
    standings = Dictionary(
      ownerStatus?.accounts.map { ($0.account, $0) } ?? [], uniquingKeysWith: { first, _ in first })
    self.configurationPath = configurationPath
    self.configurationProblems = configurationProblems
    self.media = media
    self.views = views
    self.accounts = accounts
    self.now = now
  }

  /// Returns the status of an account, as reported by the process that owns the state.
  func standing(of account: AccountStatus) -> ControlStatus.Account? { standings[account.name] }

  /// Returns the time of the last successful refresh. The process that owns the state knows it before it is stored.
  func refreshedAt(of account: AccountStatus) -> Timestamp? {
    standing(of: account)?.freshness?.refreshedAt ?? account.state?.refreshedAt
  }

  /// Returns the provider's rate limit.
  func limit(of account: AccountStatus) -> RateLimit? {
    standing(of: account)?.freshness?.limit.map {
      RateLimit(limit: $0.limit, remaining: $0.remaining, reset: $0.resetAt)
    }
      ?? account.state?.rateLimit
  }

  /// Returns the last problem. Only the process that owns the state knows about a failure to store it.
  func problem(of account: AccountStatus) -> Problem? {
    standing(of: account)?.notStored.map { Problem(code: .storage, message: $0) } ?? account.state?.problem
  }
}

extension StatusReport {
  /// Returns the protocol of an account's token, its expiry, and who must renew it.
  func login(of account: AccountStatus, _ lifetime: TokenLifetime) -> String {
    "\(lifetime.kind == "oauth1" ? "OAuth 1.0a" : "OAuth 2.0"): \(life(of: account, lifetime))"
  }

  private func life(of account: AccountStatus, _ lifetime: TokenLifetime) -> String {
    let again = "homeline login \(account.name)"
    if account.state?.problem?.code == .notAuthorised || lifetime.refusal == .final {
      return "the token is no longer valid; log in again: \(again)"
    }
    if let end = lifetime.loginNeededBy {
      guard end > now else { return "the token expired at \(end.rfc3339); log in again: \(again)" }
      return "log in again by \(end.rfc3339.prefix { $0 != "T" }) (\(DaysLeft.text(until: end, at: now))): \(again)"
    }
    guard let end = lifetime.expiresAt else { return "the token is valid until it is revoked" }
    if lifetime.refusal == .repeated {
      let state = end > now ? "is valid until" : "expired at"
      return "the server refuses to renew the token, which \(state) \(end.rfc3339); "
        + "if this continues, log in again: \(again)"
    }
    guard end > now else { return "the token expired at \(end.rfc3339); homeline renews it when it is needed" }
    return "the token is valid until \(end.rfc3339); homeline renews it automatically"
  }
}

extension StatusReport {
  /// The report for users: one paragraph per account.
  var text: String { accounts.map(paragraph).joined(separator: "\n") }

  private func paragraph(_ account: AccountStatus) -> String {
    let drive = account.settings?.drive
    if let drive, !drive.isServed, let objection = drive.feedObjection {
      return title(of: account) + "  a drive for homeline drive only: \(objection)\n"
    }
    let hasKey = drive?.needsLogin == false
    var rows = [("authorised", hasKey ? "by the key of a library, which needs no login" : authorisation(of: account))]
    if case .held(_, _, let lifetime) = account.token { rows.append(("login", login(of: account, lifetime))) }
    let state = account.state
    rows.append(("last refresh", refreshedAt(of: account).map(when) ?? "never"))
    rows.append(("next refresh", nextRefresh(of: account)))
    if let activity = standing(of: account)?.activity, activity != .idle { rows.append(("now", activity.name)) }
    if let upload = standing(of: account)?.upload {
      let share = min(100, upload.done / max(1, upload.total / 100))
      rows.append(
        ("upload", "\(upload.post): \(share)%, \(ByteCount.text(upload.done)) of \(ByteCount.text(upload.total))"))
    }
    if let since = state?.staleSince { rows.append(("stale since", when(since))) }
    if let problem = problem(of: account) { rows.append(("last error", text(of: problem))) }
    if let limit = limit(of: account) { rows.append(("limit", text(of: limit))) }
    if let spending = AccountSpending(of: account, at: now) { rows.append(("spent", spending.text)) }
    rows += account.problems.map { ("unreadable", $0) }
    if account.hasTimeline {
      rows.append(("timeline", account.files.timeline))
      rows.append(("database", account.files.database))
    }
    if let objection = drive?.feedObjection { rows.append(("no timeline", objection)) }
    if !hasKey { rows.append(("token", account.files.token)) }
    return title(of: account) + rows.map { "  \(padded($0.0))  \($0.1)\n" }.joined()
  }

  /// Returns the time of the next refresh scheduled by the process that owns the state, otherwise the time in the files at which the
  /// account is due.
  private func nextRefresh(of account: AccountStatus) -> String {
    let standing = standing(of: account)
    let next = standing?.nextRefreshAt ?? account.state?.nextRefreshAt
    let waitsFor = standing?.nextRefreshAt == nil ? standing?.waitsFor : nil
    return (next?.rfc3339 ?? "none scheduled") + (waitsFor.map { " (\(SafeText.line(of: $0)))" } ?? "")
  }

  private func title(of account: AccountStatus) -> String {
    let remarks =
      if let settings = account.settings {
        settings.isEnabled ? settings.provider : "\(settings.provider), not enabled"
      } else {
        account.isOrphan ? "no longer in the configuration" : "the configuration has errors"
      }
    return "\(account.name) (\(remarks))\n"
  }

  private func authorisation(of account: AccountStatus) -> String {
    switch account.token {
    case .none: account.isOrphan ? "no" : "no; to authorise it: homeline login \(account.name)"
    case .held(let user, let since, _):
      "as \(SafeText.line(of: user.name)) @\(SafeText.line(of: user.screenName)) since \(since.rfc3339)"
    case .unreadable: "unknown"
    }
  }

  private func text(of problem: Problem) -> String {
    let retry = problem.retryAt.map { "; retry after \($0.rfc3339)" } ?? ""
    return "\(problem.code.rawValue): \(SafeText.line(of: problem.message))\(retry)"
  }

  private func text(of limit: RateLimit) -> String {
    let share = limit.limit.map { "\(limit.remaining) of \($0)" } ?? "\(limit.remaining)"
    return limit.reset < now ? "reset at \(limit.reset.rfc3339)" : "\(share) left until \(limit.reset.rfc3339)"
  }

  private func when(_ time: Timestamp) -> String { "\(time.rfc3339) (\(Age(of: time, at: now)))" }

  private func padded(_ text: String) -> String { text + String(repeating: " ", count: max(0, 12 - text.count)) }
}
