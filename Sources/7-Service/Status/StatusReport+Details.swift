internal import Commands
internal import ControlProtocol
internal import Folders
internal import Formats
internal import HTTP
internal import Platform
internal import Posting
internal import Settings
internal import Storage
internal import Time
internal import Timeline

/// The report with all details: one paragraph per account (`homeline status -v`).
extension StatusReport {
  /// Returns the protocol of an account's token, its expiry, and who must renew it.
  func login(of account: AccountStatus, _ lifetime: TokenLifetime) -> String {
    "\(lifetime.kind == "oauth1" ? "OAuth 1.0a" : "OAuth 2.0"): \(life(of: account, lifetime))"
  }

  /// Returns when the token expires, and what the user must do about it.
  func life(of account: AccountStatus, _ lifetime: TokenLifetime) -> String {
    let again = "homeline login \(account.name)"
    // After a final refusal to renew it, the token is used until it expires.
    if account.home?.problem?.code == .notAuthorised || lifetime.refusal == .final && lifetime.loginNeededBy == nil {
      return "the token is no longer valid; log in again: \(again)"
    }
    if let end = lifetime.loginNeededBy {
      guard end > now else { return "the token expired at \(times.full(of: end)); log in again: \(again)" }
      return "log in again by \(times.day(of: end)) (\(DaysLeft.text(until: end, at: now))): \(again)"
    }
    guard let end = lifetime.expiresAt else {
      return account.usesToken
        ? "the token is valid until it is revoked"
        : "the token's expiry time is unknown; only the programs that use it notice when it is revoked"
    }
    if lifetime.refusal == .repeated {
      let state = end > now ? "is valid until" : "expired at"
      return "the server does not renew the token, which \(state) \(times.full(of: end)), and gives no reason; "
        + "if this continues, log in again: \(again)"
    }
    guard end > now else { return "the token expired at \(times.full(of: end)); homeline renews it when it is needed" }
    return "the token is valid until \(times.full(of: end)); homeline renews it automatically"
  }
}

extension StatusReport {
  /// The paragraphs as text, with an empty line between them.
  package var details: String { paragraphs.map(\.text).joined(separator: "\n") }

  /// A paragraph for each account.
  package var paragraphs: [StatusParagraph] { accounts.map(paragraph) }

  private func paragraph(_ account: AccountStatus) -> StatusParagraph {
    let drive = account.settings?.drive
    if let drive, !drive.isServed, let objection = drive.feedObjection {
      return StatusParagraph(title(of: account), note: "a drive for homeline drive only: \(objection)")
    }
    var rows = StatusParagraph(title(of: account))
    let hasKey = drive?.needsLogin == false
    rows.add("authorised", hasKey ? "with a library's key, without a login" : authorisation(of: account))
    if case .held(_, _, let lifetime) = account.token { rows.add("login", login(of: account, lifetime)) }
    rows.add("last refresh", refreshedAt(of: account).map(times.fullText) ?? "never")
    rows.add("next refresh", nextRefresh(of: account))
    if let activity = standing(of: account)?.activity, activity != .idle { rows.add("now", activity.name) }
    if let upload = standing(of: account)?.upload {
      let share = min(100, upload.done / max(1, upload.total / 100))
      rows.add("upload", "\(upload.post): \(share)%, \(ByteCount.text(upload.done)) of \(ByteCount.text(upload.total))")
    }
    if let since = account.home?.staleSince { rows.add("stale since", times.fullText(of: since)) }
    if let problem = problem(of: account) { rows.add("last error", text(of: problem)) }
    if let limit = limit(of: account) { rows.add("limit", text(of: limit)) }
    for post in account.waitingPosts {
      rows.add("outbox", "\(post.intent.id) \(post.isScheduled ? "is to be sent" : "waits")\(end(of: post))")
    }
    if let posts = account.posts {
      let unread = account.unread.map { ", \($0) unread" } ?? ""
      rows.add("posts", "\(posts) stored" + unread + (account.filteredText.map { ", \($0)" } ?? ""))
    }
    if let spending = AccountSpending(of: account, at: now) { rows.add("spent", spending.text) }
    for problem in account.problems { rows.add("unreadable", problem) }
    if account.hasTimeline {
      rows.add("timeline", account.files.timeline)
      rows.add("database", account.files.database)
    }
    for other in others(of: account) {
      rows.add(SafeText.line(of: other.name.description), details(of: other, account))
    }
    if let objection = drive?.feedObjection { rows.add("no timeline", objection) }
    if !hasKey { rows.add("token", account.files.token) }
    return rows
  }

  private func nextRefresh(of account: AccountStatus) -> String {
    let standing = standing(of: account)
    let next = nextRefreshAt(of: account)
    let waitsFor = standing?.nextRefreshAt == nil ? standing?.waitsFor : nil
    return (next.map(times.fullText) ?? "none scheduled") + (waitsFor.map { " (\(SafeText.line(of: $0)))" } ?? "")
  }

  private func title(of account: AccountStatus) -> String {
    let remarks =
      if let settings = account.settings {
        settings.isEnabled ? settings.provider : "\(settings.provider), not enabled"
      } else {
        account.isOrphan ? "no longer in the configuration" : "the configuration has errors"
      }
    return "\(account.name) (\(remarks))"
  }

  private func authorisation(of account: AccountStatus) -> String {
    switch account.token {
    case .none: account.isOrphan ? "no" : "no; to authorise it: homeline login \(account.name)"
    case .held(let user, let since, _) where user.isUnknown:
      "since \(times.full(of: since)); the server does not say who you are"
    case .held(let user, let since, _):
      "as \(SafeText.line(of: user.name)) @\(SafeText.line(of: user.screenName)) since \(times.full(of: since))"
    case .unreadable: "unknown"
    }
  }

  func text(of problem: Problem) -> String {
    let retry = problem.retryAt.map { "; retry after \(times.full(of: $0))" } ?? ""
    return "\(problem.code.rawValue): \(SafeText.line(of: problem.message))\(retry)"
  }

  private func text(of limit: RateLimit) -> String {
    let share = limit.limit.map { "\(limit.remaining) of \($0)" } ?? "\(limit.remaining)"
    return limit.reset < now
      ? "reset at \(times.full(of: limit.reset))" : "\(share) left until \(times.full(of: limit.reset))"
  }
}
