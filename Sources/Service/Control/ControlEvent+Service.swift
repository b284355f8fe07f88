internal import CivilTime
package import Control
internal import HomelineOAuth
internal import Platform
internal import Timeline

/// What the service has to tell, in the words of the control protocol.
extension ControlEvent {
  /// - Parameter timeline: where the account's file lies.
  init(_ news: LoginNews, timeline: String) {
    switch news {
    case .address(let address, let port): self = .address(Address(url: address.text, callbackPort: port))
    case .code(let code, let address, let complete):
      self = .code(Code(code: code, url: address, completeURL: complete))
    case .notice(let sentence): self = .notice(sentence)
    case .authorised(let user):
      self = .authorised(User(id: user.id, screenName: user.screenName, name: user.name))
    case .setAside(let paths): self = .setAside(paths: paths)
    case .stored(let path): self = .stored(path: path)
    case .refreshed(let report): self = .refreshed(Refreshed(report, timeline: timeline))
    }
  }

  init(_ report: LogoutReport, account: String) {
    self = .loggedOut(LoggedOut(account: account, outcome: report.outcome, message: report.sentence))
  }
}

extension ControlEvent.Progress {
  init(_ progress: RoundProgress, account: String) {
    self.init(account: account, done: progress.pages, of: progress.atMost, posts: progress.posts)
  }
}

extension ControlEvent.Refreshed {
  /// - Parameter timeline: where the account's file lies.
  package init(_ report: RefreshReport, timeline: String) {
    var new: Int?
    if case .refreshed(let count) = report.outcome { new = count }
    self.init(
      account: report.account, new: new, message: new == nil ? report.failure?.message : nil, exit: report.exitCode,
      warnings: report.warnings + [report.notKept].compactMap { $0?.message },
      timeline: report.hasTimeline ? timeline : nil)
  }
}

extension ControlEvent.End {
  /// - Parameter account: whom the failure is about.
  init(_ failure: Failure, account: String? = nil) {
    self.init(
      exit: failure.exitCode, message: (account.map { "\($0): " } ?? "") + failure.message, retryAt: failure.retryAt)
  }

  /// Takes in what came of one account's refresh: the worst counts, and the first moment at which trying again helps any.
  mutating func add(_ report: RefreshReport) {
    exit = exit.worse(report.exitCode)
    retryAt = [retryAt, report.failure?.retryAt].compactMap { $0 }.min()
  }
}

extension Failure {
  fileprivate var retryAt: Timestamp? { if case .tryAgain(let at) = kind { at } else { nil } }
}

extension RefreshReport {
  /// What a command ends with that asked for this account alone.
  fileprivate var exitCode: ExitCode {
    [failure, notKept].compactMap { $0?.exitCode }.reduce(.done) { $0.worse($1) }
  }
}

extension LogoutReport {
  fileprivate var outcome: ControlEvent.LoggedOut.Outcome {
    switch self {
    case .revoked: .revoked
    case .deletedOnly: .deletedOnly
    case .notRevoked: .notRevoked
    case .wasNotAuthorised: .wasNotAuthorised
    }
  }
}

extension LogoutReport {
  /// What came of it, for people; without the account's name.
  var sentence: String {
    switch self {
    case .revoked: "the token is revoked at the provider and deleted here; the posts stay"
    case .deletedOnly: "the token is deleted here; this provider offers no way to revoke it from here; the posts stay"
    case .notRevoked(let why):
      "the token is deleted here, but the provider did not revoke it (\(why)); revoke it in your settings there. The posts stay"
    case .wasNotAuthorised: "there was no token"
    }
  }
}
