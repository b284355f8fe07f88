package import Accounts
internal import Bytes
package import ControlProtocol
package import Folders
internal import Login
internal import Platform
internal import PublishedFiles
internal import Time
internal import Timeline

extension ControlResponder {
  /// Sends the progress of a login as an event.
  /// - Parameter files: returns the locations of an account's files.
  func send(_ news: LoginProgress, of account: String, files: (String) -> AccountFiles) {
    switch news {
    case .address(let address, let port): send(AddressEvent(url: address.text, callbackPort: port))
    case .code(let code, let address, let complete):
      send(CodeEvent(code: code, url: address, completeURL: complete))
    case .password: send(PasswordEvent())
    case .token(let lines): send(TokenWantedEvent(lines: lines))
    case .notice(let sentence): send(NoticeEvent(sentence))
    case .authorised(let user):
      send(AuthorisedEvent(userID: user.id, screenName: user.screenName, userName: user.name))
    case .setAside(let paths): send(SetAsideEvent(paths: paths))
    case .stored(let path): send(StoredEvent(path: path))
    case .refreshing(let progress): send(ProgressEvent(progress, account: account))
    case .refreshed(let report): send(RefreshedEvent(report, files: files(report.account)))
    }
  }
}

extension LoggedOutEvent {
  init(_ report: LogoutReport, account: String) {
    self.init(account: account, outcome: report.outcome, message: report.sentence)
  }
}

extension ProgressEvent {
  init(_ progress: RoundProgress, account: String) {
    let name = progress.timeline == .home ? account : "\(account)/\(progress.timeline)"
    self.init(account: name, done: progress.pages, of: progress.atMost, posts: progress.posts)
  }
}

extension RefreshedEvent {
  /// - Parameter files: the account's files, which include the timeline's published file.
  package init(_ report: RefreshReport, files: AccountFiles) {
    let published = try? files.published(of: report.timeline)
    self.init(report, timeline: published?.timeline ?? files.timeline)
  }

  /// - Parameter timeline: the path of the account's published file.
  package init(_ report: RefreshReport, timeline: String) {
    var new: Int?
    if case .refreshed(let count) = report.outcome { new = count }
    self.init(
      account: report.name, new: new, message: new == nil ? report.failure?.message : nil, exit: report.exitCode,
      warnings: report.warnings + [report.missing, report.storageFailure?.message].compactMap(\.self),
      timeline: report.hasTimeline ? timeline : nil, retryAt: report.retry?.at,
      retryBy: report.retry.map { $0.isByService ? "service" : "command" }, workedAt: report.retry?.workedAt)
  }
}

extension EndEvent {
  /// Adds the outcome of one account's refresh, keeping the worst exit code and the earliest time to try again.
  mutating func add(_ report: RefreshReport) {
    exit = exit.worse(report.exitCode)
    retryAt = [retryAt, report.failure?.retryAt].compactMap { $0 }.min()
  }
}

extension RefreshReport {
  /// The exit code of a command that requested only this account.
  fileprivate var exitCode: ExitCode {
    [failure, storageFailure].compactMap { $0?.exitCode }.reduce(.done) { $0.worse($1) }
  }
}

extension LogoutReport {
  fileprivate var outcome: LoggedOutEvent.Outcome {
    switch self {
    case .revoked: .revoked
    case .deletedOnly: .deletedOnly
    case .notRevoked: .notRevoked
    case .wasNotAuthorised: .wasNotAuthorised
    }
  }
}

extension LogoutReport {
  /// The outcome as a sentence, without the account's name.
  var sentence: String {
    switch self {
    case .revoked: "the token was revoked at the provider and deleted from this machine; your posts have been kept"
    case .deletedOnly:
      "the token was deleted from this machine, but this provider offers no way to revoke it; your posts have been kept"
    case .notRevoked(let why):
      "the token was deleted from this machine, but the provider did not revoke it (\(why)); revoke it in your settings there. "
        + "Your posts have been kept"
    case .wasNotAuthorised: "there was no token"
    }
  }
}
