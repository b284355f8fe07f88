internal import Accounts
internal import CivilTime
internal import Commands
internal import Control
internal import Dispatch
internal import Files
internal import Glibc
internal import HomelineOAuth
internal import Login
internal import Platform
internal import Publish
internal import Refresh
internal import Service
internal import Settings
internal import Timeline

/// A demonstration under way: the login, the first posts, then a refresh whenever one is due, until Ctrl-C.
final class DemoRun: Sendable {
  private let account: AccountSettings
  private let context: DaemonContext
  private let arguments: Command.Demo
  private let browser: Browser?
  /// Kept alive while the demonstration goes on.
  private let alarm = Locked<Alarm?>(nil)
  private let signals = Locked<[DispatchSource]>([])
  /// Set by a signal during the login: what comes of it then does not matter any more.
  private let isEnding = Locked(false)

  init(account: AccountSettings, context: DaemonContext, _ arguments: Command.Demo) {
    self.account = account
    self.context = context
    self.arguments = arguments
    browser = Browser(variables: context.environment.variables)
  }

  func start() throws(CommandFailure) {
    say("This is homeline's whole job on an embedded provider: no keys, nothing leaves this machine.")
    say("Its files lie below \(context.layout.cacheFolder.dropLast("/cache".count)), apart from your accounts.")
    do throws(Failure) {
      _ = try context.accountManager.login(account, LoginOptions(), tell: { self.show($0) }) { result in
        DispatchQueue.main.async { self.loggedIn(result) }
      }
      let sources = TerminationSignals.taken { [context, isEnding] number in
        isEnding.withLock { $0 = true }
        context.close { TerminationSignals.end(by: number) }
      }
      signals.withLock { $0 = sources }
    } catch { throw CommandFailure(error) }
  }

  // MARK: The login

  private func show(_ news: LoginProgress) {
    switch news {
    case .address(let address, let port):
      let begun =
        arguments.provider.usesOAuth2
        ? "The login has a random state, which its answer must bring." : "The provider issued a request token."
      say("1. \(begun) The callback listener is open on port \(port ?? 0), on loopback only.")
      say("2. The authorisation page is:")
      say("   \(address.text)")
      approve(address)
    case .code(let code, let address, _): say("   Type \(code) in at \(address)")
    case .notice(let sentence): say("   \(sentence)")
    case .authorised(let user):
      let exchanged =
        arguments.provider.usesOAuth2
        ? "The callback brought the state that was sent; its code was exchanged for a token."
        : "The callback brought the token that was issued; its verifier was exchanged."
      say("4. \(exchanged) Authorised as @\(user.screenName).")
    case .setAside(let folders): say("   The former user's files are kept in \(folders.joined(separator: ", ")).")
    case .stored(let path): say("5. The token is stored, for you alone to read: \(path)")
    case .refreshed(let report):
      if case .refreshed(let new) = report.outcome {
        say("6. The home timeline was fetched: \(new) new post\(new == 1 ? "" : "s").")
      }
    }
  }

  private func approve(_ address: RequestURL) {
    guard let browser else { return visit(address, since: "There is no browser here") }
    say("3. Opening it with \(browser.program): press Authorise there.")
    do throws(SystemError) {
      try browser.open(address.text) { [weak self] status in
        guard status != 0, let self else { return }
        self.visit(address, since: "\(browser.program) ended with status \(status)")
      }
    } catch { visit(address, since: "\(browser.program) could not be started (\(error))") }
  }

  /// Goes to the page in place of a browser.
  private func visit(_ address: RequestURL, since reason: String) {
    say("3. \(reason), so homeline presses Authorise itself, by the way a browser would go.")
    SandboxVisitor(client: context.accountManager.client).authorise(at: address.text) { result in
      switch result {
      case .success(let title): self.say("   The page at the end says: \(title)")
      case .failure(let failure): self.say("   That did not work: \(failure.message)")
      }
    }
  }

  private func loggedIn(_ result: Result<Void, Failure>) {
    if isEnding.withLock({ $0 }) { return }
    if case .failure(let failure) = result {
      let failure = CommandFailure(failure)
      Terminal.say(failure.description)
      return context.end(failure.code)
    }
    showPosts(5)
    let files = context.accountManager.files(of: account)
    say("There is a page of it for your browser, and feeds beside it:")
    say("   \(files.published(as: .html))")
    say("The whole timeline is in this file; any program can read it:")
    say("   \(files.timeline)")
    if arguments.once {
      return context.accountManager.whenPicturesCame(within: .seconds(30), on: .main) { [context] in context.end(.done)
      }
    }
    say("It is refreshed from now on. Ctrl-C ends the demonstration.")
    keepRefreshing()
  }

  // MARK: Refreshing

  private func keepRefreshing() {
    let sources = [SIGINT, SIGTERM].map { number in
      DispatchSource.signal(number, on: .main) { [context] in context.end(.done) }
    }
    for source in sources { source.activate() }
    signals.withLock { former in
      for source in former { source.cancel() }
      former = sources
    }
    do throws(SystemError) {
      let alarm = try Alarm(on: .main) { [weak self] in self?.refresh() }
      self.alarm.withLock { $0 = alarm }
      setAlarm()
    } catch {
      Terminal.say("homeline: \(error)")
      context.end(.software)
    }
  }

  private func refresh() {
    context.accountManager.refresh([account], on: .main) { reports in
      for report in reports {
        if case .refreshed(let new) = report.outcome {
          if new > 0 { self.showPosts(new) }
        } else {
          RefreshTerminal.show(
            RefreshedEvent(report, timeline: self.context.accountManager.files(of: self.account).timeline))
        }
      }
      self.setAlarm()
    }
  }

  private func setAlarm() {
    let now = WallClock.system.now
    let next = (try? context.accountManager.nextRefresh(of: account)) ?? nil
    let pause = max(.seconds(1), (next ?? now + .seconds(60)) - now)
    alarm.withLock { $0 }?.set(.now + pause)
  }

  /// Prints the newest posts from the published file, as every other program would read it.
  private func showPosts(_ count: Int) {
    do {
      let bytes = try File.read(context.accountManager.files(of: account).timeline, limit: 64 << 20)
      let text = PlainText(at: WallClock.system.now, isColoured: context.environment.showsColour)
      for post in try TimelineFile.read(bytes).posts.prefix(count).reversed() {
        say("")
        say(String(text.text(of: post).dropLast()))
      }
      say("")
    } catch { Terminal.say("homeline: the published file cannot be read: \(error)") }
  }

  private func say(_ line: String) { try? Terminal.answer(line + "\n") }
}
