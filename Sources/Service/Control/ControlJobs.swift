internal import CivilTime
internal import Control
internal import Dispatch
internal import HomelineOAuth
internal import HTTP
internal import Platform
internal import Settings
internal import Store
internal import Timeline

/// Carries out what was asked at the control desk.
// Sendable because everything that changes in it is touched on the desk's queue only.
final class ControlJobs: @unchecked Sendable {
  let keeper: Keeper
  private let duties: ControlDuties
  let queue: DispatchQueue
  /// Logins under way, by the name that `begun` told.
  private var logins: [String: ControlLogin] = [:]
  private let activities = Locked(ControlActivities())

  init(keeper: Keeper, _ duties: ControlDuties, on queue: DispatchQueue) {
    self.keeper = keeper
    self.duties = duties
    self.queue = queue
  }

  /// To be called on the desk's queue.
  func begin(_ asked: ControlRequest, _ answer: ControlAnswer) {
    dispatchPrecondition(condition: .onQueue(queue))
    switch asked {
    case .status(let name): apart { self.tellStatus(of: name, answer) }
    case .refresh(let names): apart { self.refresh(names, answer) }
    case .login(let asked): apart { self.login(asked, answer) }
    case .input(let login, let input): give(input, to: login, answer)
    case .logout(let name): apart { self.logout(name, answer) }
    case .token(let name): apart { self.token(name, answer) }
    case .mark(let asked): apart { self.mark(asked, answer) }
    case .importing(let asked): apart { self.take(asked, answer) }
    case .purge(let asked): apart { self.purge(asked, answer) }
    case .reload: apart { self.reload(answer) }
    }
  }

  /// Runs work where the keeper may be waited for: opening an account may run the command that brings its secret.
  private func apart(_ work: @escaping @Sendable () -> Void) {
    // Not one concurrent queue: after its first use Dispatch looks after its threads once a second for ever.
    DispatchQueue(label: "homeline.control.work").async(execute: work)
  }

  /// The account that is meant; a refusal where it is not clear.
  func account(_ name: String?) throws(ControlRefusal) -> AccountSettings {
    do throws(AccountChoiceError) { return try keeper.configuration.account(named: name) } catch {
      if case .unknown = error { throw ControlRefusal(.notFound, "\(error)") }
      throw ControlRefusal(.badRequest, "\(error)")
    }
  }

  // MARK: Status

  private func tellStatus(of name: String?, _ answer: ControlAnswer) {
    do throws(ControlRefusal) {
      let accounts =
        try name.map { name throws(ControlRefusal) in [try account(name)] } ?? keeper.configuration.accounts
      let status = ControlStatus(owner: duties.owner(), accounts: standing(of: accounts))
      answer.send(Response(status: .ok, headers: [.contentType: "application/json"], body: status.json))
    } catch { answer.refuse(error) }
  }

  /// What is done here goes before what the owner does by itself.
  private func standing(of accounts: [AccountSettings]) -> [ControlStatus.Account] {
    let activities = activities.withLock { $0 }
    return zip(accounts, duties.standing(accounts)).map { account, standing in
      var standing = standing
      if let activity = activities.activity(of: account.name) { standing.activity = activity }
      return standing
    }
  }

  // MARK: Refresh

  private func refresh(_ names: [String], _ answer: ControlAnswer) {
    do throws(ControlRefusal) {
      let chosen = try accounts(names)
      answer.open()
      let all = DispatchGroup()
      let end = Locked(ControlEvent.End(exit: .done))
      for account in chosen {
        all.enter()
        activities.withLock { $0.begin(.refreshing, of: account.name) }
        keeper.refresh([account], on: queue) { progress in
          answer.tell(.progress(ControlEvent.Progress(progress, account: account.name.text)))
        } completion: { [keeper, activities] reports in
          activities.withLock { $0.end(.refreshing, of: account.name) }
          for report in reports {
            answer.tell(.refreshed(ControlEvent.Refreshed(report, timeline: keeper.files(of: account).timeline)))
            end.withLock { $0.add(report) }
          }
          all.leave()
        }
      }
      all.notify(queue: queue) { answer.end(end.withLock { $0 }) }
    } catch { answer.refuse(error) }
  }

  /// Each named account once; all that are enabled where none is named.
  private func accounts(_ names: [String]) throws(ControlRefusal) -> [AccountSettings] {
    let enabled = names.isEmpty ? keeper.configuration.enabledAccounts : []
    // Without any it says which there are.
    if names.isEmpty { return enabled.isEmpty ? [try account(nil)] : enabled }
    var chosen: [AccountSettings] = []
    for name in names {
      let account = try account(name)
      if !chosen.contains(where: { $0.name == account.name }) { chosen.append(account) }
    }
    return chosen
  }

  // MARK: Login

  /// Begins a login. A second one of the same account ends the first, where that still waits for its user: whoever begins anew has
  /// lost the window, and the first is told so, with 75.
  private func login(_ asked: ControlRequest.Login, _ answer: ControlAnswer) {
    do throws(ControlRefusal) {
      let account = try account(asked.account)
      let id: String
      do throws(CryptographyError) { id = try Nonce.random().text } catch {
        throw ControlRefusal(.internalServerError, exit: .software, "\(error)")
      }
      let login = ControlLogin(answer)
      activities.withLock { $0.begin(.loggingIn, of: account.name) }
      // Before the stream begins, so that an end of it finds the login.
      queue.async { self.logins[id] = login }
      answer.open { self.logins[id]?.clientWentAway() }
      answer.tell(.begun(ControlEvent.Begun(login: id, account: account.name.text)))
      let timeline = keeper.files(of: account).timeline
      let options = LoginOptions(
        timeout: .seconds(asked.timeoutSeconds), isOutOfBand: asked.usesPIN, usesDevice: asked.usesDevice,
        switchesUser: asked.switchesUser, pressesAuthorise: asked.pressesAuthorise)
      let finish: @Sendable (Result<Void, Failure>) -> Void = { result in
        self.queue.async {
          // Behind a failure there may be a second one, of a client that went away at the same moment.
          guard self.logins.removeValue(forKey: id) != nil else { return }
          self.activities.withLock { $0.end(.loggingIn, of: account.name) }
          answer.end(result, account: account.name.text)
        }
      }
      do throws(Failure) {
        let session = try keeper.login(
          account, options, tell: { answer.tell(ControlEvent($0, timeline: timeline)) }, completion: finish)
        queue.async { self.logins[id]?.begin(session) }
      } catch { finish(.failure(error)) }
    } catch { answer.refuse(error) }
  }

  private func give(_ input: ControlRequest.Input, to id: String, _ answer: ControlAnswer) {
    guard let login = logins[id] else {
      return answer.refuse(ControlRefusal(.notFound, exit: .temporary, "no such login is under way; it may have ended"))
    }
    login.give(input)
    answer.send(Response(status: .noContent))
  }

  // MARK: Logout, tokens and reload

  private func logout(_ name: String, _ answer: ControlAnswer) {
    do throws(ControlRefusal) {
      let account = try account(name)
      answer.open()
      activities.withLock { $0.begin(.loggingOut, of: account.name) }
      do throws(Failure) {
        try keeper.logout(account) { [activities] result in
          activities.withLock { $0.end(.loggingOut, of: account.name) }
          if case .success(let report) = result { answer.tell(ControlEvent(report, account: account.name.text)) }
          answer.end(result.map { _ in }, account: account.name.text)
        }
      } catch {
        activities.withLock { $0.end(.loggingOut, of: account.name) }
        answer.end(.failure(error), account: account.name.text)
      }
    } catch { answer.refuse(error) }
  }

  private func token(_ name: String?, _ answer: ControlAnswer) {
    do throws(ControlRefusal) {
      let account = try account(name)
      if let reason = account.whyNoBearerToken { throw ControlRefusal(.badRequest, reason) }
      answer.open()
      do throws(Failure) {
        try keeper.token(of: account) { result in
          let name = account.name.text
          if case .success(let token) = result {
            answer.tell(
              .token(ControlEvent.Token(account: name, accessToken: token.accessToken, expiresAt: token.expiresAt)))
          }
          answer.end(result.map { _ in }, account: name)
        }
      } catch { answer.end(.failure(error), account: account.name.text) }
    } catch { answer.refuse(error) }
  }

  private func reload(_ answer: ControlAnswer) {
    guard let reload = duties.reload else {
      let words = "the owner of the state does not read its configuration again, since it ends soon; try again then"
      return answer.refuse(ControlRefusal(.conflict, exit: .temporary, words))
    }
    answer.open()
    reload({ answer.tell(.notice($0)) }, { answer.end($0) })
  }
}

/// What the control desk has had begun and what has not ended yet, by account: several may wait for one account's lane.
struct ControlActivities {
  private var underWay: [AccountName: [ControlStatus.Activity]] = [:]

  /// What goes before the rest when there is more than one: what the user has to do something about.
  private static let order: [ControlStatus.Activity] = [.loggingIn, .loggingOut, .refreshing]

  mutating func begin(_ activity: ControlStatus.Activity, of account: AccountName) {
    underWay[account, default: []].append(activity)
  }

  mutating func end(_ activity: ControlStatus.Activity, of account: AccountName) {
    guard let index = underWay[account]?.firstIndex(of: activity) else { return }
    underWay[account]?.remove(at: index)
  }

  /// - Returns: nil when nothing is under way.
  func activity(of account: AccountName) -> ControlStatus.Activity? {
    Self.order.first { underWay[account]?.contains($0) == true }
  }
}

/// A login that was begun at the control desk.
// Sendable because everything that changes in it is touched on the desk's queue only.
final class ControlLogin: @unchecked Sendable {
  /// The most lines that are kept for a login that has not begun yet: what a person can have typed by then.
  private static let heldLimit = 16

  private let answer: ControlAnswer
  private var session: LoginSession?
  private var held: [ControlRequest.Input] = []
  private var isGone = false

  init(_ answer: ControlAnswer) { self.answer = answer }

  /// The login goes on: it gets what was typed meanwhile, or ends if nobody is there any more.
  func begin(_ session: LoginSession) {
    self.session = session
    if isGone { return withdraw(session) }
    for input in held { give(input, session) }
    held = []
  }

  func give(_ input: ControlRequest.Input) {
    if let session { return give(input, session) }
    if held.count < Self.heldLimit || input == .end { held.append(input) }
  }

  /// The stream has broken off. A login whose browser has come back already goes on, so that its token is kept.
  func clientWentAway() {
    isGone = true
    if let session { withdraw(session) }
  }

  private func give(_ input: ControlRequest.Input, _ session: LoginSession) {
    switch input {
    case .line(let line): session.paste(line)
    case .end: session.endInput()
    }
  }

  private func withdraw(_ session: LoginSession) { session.withdraw("whoever asked for the login has gone") }
}

/// What is asked of what is kept.
extension ControlJobs {
  func mark(_ asked: ControlRequest.Mark, _ answer: ControlAnswer) {
    do throws(ControlRefusal) {
      let account = try account(asked.account)
      answer.open()
      do throws(Failure) {
        try keeper.mark(account, upTo: asked.upTo.map { PostID($0) }) { result in
          if case .success(let mark) = result {
            answer.tell(
              .marked(
                ControlEvent.Marked(account: account.name.text, upTo: mark.upTo?.text, unread: mark.unread)))
          }
          answer.end(result.map { _ in }, account: account.name.text)
        }
      } catch { answer.end(.failure(error), account: account.name.text) }
    } catch { answer.refuse(error) }
  }

  func purge(_ asked: ControlRequest.Removal, _ answer: ControlAnswer) {
    do throws(ControlRefusal) {
      let named = try asked.account.map { name throws(ControlRefusal) in try account(name) }
      let chosen = named.map { [$0] } ?? keeper.configuration.accounts.filter { keeper.hasArchive($0) }
      answer.open()
      let all = DispatchGroup()
      let end = Locked(ControlEvent.End(exit: .done))
      for account in chosen {
        all.enter()
        purge(account, asked, answer) { result in
          if case .failure(let failure) = result {
            answer.tell(.notice("\(account.name): \(failure.message)"))
            end.withLock { $0.exit = $0.exit.worse(failure.exitCode) }
          }
          all.leave()
        }
      }
      all.notify(queue: queue) { answer.end(end.withLock { $0 }) }
    } catch { answer.refuse(error) }
  }

  private func purge(
    _ account: AccountSettings, _ asked: ControlRequest.Removal, _ answer: ControlAnswer,
    completion: @escaping @Sendable (Result<Void, Failure>) -> Void
  ) {
    let name = account.name.text
    let end: @Sendable (Result<Purged, Failure>) -> Void = { result in
      if case .success(let purged) = result {
        answer.tell(.purged(ControlEvent.Purged(account: name, posts: purged.posts, quotes: purged.quotes)))
        if !purged.isLogCleared {
          answer.tell(
            .notice(
              "\(name): somebody reads the database just now, so its log still holds what was removed; "
                + "the next refresh clears it, or the same purge once more"))
        }
      }
      completion(result.map { _ in })
    }
    do throws(Failure) {
      if asked.isDryRun { return try keeper.count(account, Purge(asked.what), completion: end) }
      try keeper.purge(account, Purge(asked.what)) { run in
        answer.tell(
          .progress(
            ControlEvent.Progress(
              account: name, done: run.progress.done, of: run.progress.of, posts: run.purged.posts)))
      } completion: {
        end($0)
      }
    } catch { completion(.failure(error)) }
  }

  func take(_ asked: ControlRequest.Import, _ answer: ControlAnswer) {
    do throws(ControlRefusal) {
      let account = try account(asked.account)
      let name = account.name.text
      answer.open()
      do throws(Failure) {
        try keeper.take(account, from: asked.file) { progress in
          answer.tell(
            .progress(ControlEvent.Progress(account: name, done: progress.done, of: progress.of, posts: progress.new)))
        } completion: { result in
          if case .success(let report) = result {
            answer.tell(.imported(ControlEvent.Imported(account: name, new: report.new, known: report.known)))
          }
          answer.end(result.map { _ in }, account: name)
        }
      } catch { answer.end(.failure(error), account: name) }
    } catch { answer.refuse(error) }
  }
}

extension Purge {
  fileprivate init(_ asked: ControlRequest.Removal.What) {
    self =
      switch asked {
      case .post(let id): .post(PostID(id))
      case .author(let name): .author(name)
      case .before(let moment): .before(moment)
      case .everything: .everything
      }
  }
}
