internal import Accounts
internal import Bytes
internal import Commands
internal import ControlProtocol
internal import Dispatch
internal import Folders
internal import Formats
internal import Glibc
internal import JSON
internal import LocalCommands
internal import Login
internal import Platform
internal import Service
internal import Settings
internal import TerminalText
internal import Time
internal import Timeline

/// A running demo: the login, the first posts, then scheduled refreshes until Ctrl-C.
final class DemoRun: Sendable {
  private let account: AccountSettings
  private let context: DaemonContext
  private let arguments: Command.Demo
  /// Whether standard output is reserved for the JSON result.
  private let isJSON: Bool
  /// The authorised user, and the number of fetched posts.
  private let outcome = Locked<(user: String?, posts: Int?)>((nil, nil))
  private let browser: Browser?
  /// The alarm, kept as long as the demo runs.
  private let alarm = Locked<Alarm?>(nil)
  private let signals = Locked<[DispatchSource]>([])
  /// Whether a signal has arrived during the login. If so, the login's outcome is ignored.
  private let isEnding = Locked(false)

  init(account: AccountSettings, context: DaemonContext, _ arguments: Command.Demo, isJSON: Bool) {
    self.account = account
    self.context = context
    self.arguments = arguments
    self.isJSON = isJSON
    browser = Browser(variables: context.environment.variables)
  }

  func start() throws(CommandError) {
    if browser == nil {
      say("There is no browser here, so homeline will press Authorise on the provider's page itself.")
    }
    say(
      "This shows everything homeline does, with a simulated provider: no keys are needed, and nothing leaves this machine."
    )
    say("Its files are in \(context.layout.cacheFolder.dropLast("/cache".count)), separate from your accounts.")
    do throws(OperationError) {
      _ = try context.accountManager.login(account, LoginOptions(), tell: { self.show($0) }) { result in
        DispatchQueue.main.async { self.loggedIn(result) }
      }
      let sources = TerminationSignals.taken { [context, isEnding] number in
        isEnding.withLock { $0 = true }
        context.close { ProcessEnd.bySignal(number) }
      }
      signals.withLock { $0 = sources }
    } catch { throw CommandError(error) }
  }

  // MARK: Login

  private func show(_ progress: LoginProgress) {
    switch progress {
    case .address(let address, let port):
      let begun =
        arguments.provider.usesOAuth2
        ? "The login has a random state, which the redirect must return." : "The provider issued a request token."
      say("1. \(begun) The callback listener is open on loopback port \(port ?? 0).")
      say("2. The authorisation page is:")
      say("   \(address.text)")
      approve(address)
    case .code(let code, let address, _): say("   Type \(code) at \(address)")
    case .password: say("   Type the user name and the password.")
    case .token: say("   Type the token.")
    case .notice(let sentence): say("   \(sentence)")
    case .authorised(let user):
      let exchanged =
        arguments.provider.usesOAuth2
        ? "The redirect returned the state; its code was exchanged for a token."
        : "The redirect returned the request token; its verifier was exchanged for a token."
      outcome.withLock { $0.user = user.screenName }
      say("4. \(exchanged) Authorised as @\(user.screenName).")
    case .setAside(let folders):
      say("   The previous user's files were moved to \(folders.joined(separator: ", ")).")
    case .stored(let path): say("5. The token is stored in a file that only you can read: \(path)")
    // The few pages of the demonstration are fetched in a moment.
    case .refreshing: break
    case .refreshed(let report):
      if case .refreshed(let new) = report.outcome {
        outcome.withLock { $0.posts = new }
        say("6. The home timeline was fetched: \(new) new post\(new == 1 ? "" : "s").")
      }
    }
  }

  private func approve(_ address: RequestURL) {
    guard let browser else { return visit(address, since: "No browser was found") }
    say("3. Opening it with \(browser.program). Press Authorise there.")
    do throws(SystemError) {
      try browser.open(address.text) { [weak self] status in
        guard status != 0, let self else { return }
        self.visit(address, since: "\(browser.program) exited with status \(status)")
      }
    } catch { visit(address, since: "\(browser.program) could not be started: \(error)") }
  }

  /// Opens the page without a browser and presses its button.
  private func visit(_ address: RequestURL, since reason: String) {
    say("3. \(reason), so homeline opens the page and presses Authorise itself.")
    SandboxVisitor(client: context.accountManager.client).authorise(at: address.text) { result in
      switch result {
      case .success(let title): self.say("   The final page says: \(title)")
      case .failure(let failure): self.say("   That failed: \(failure.message)")
      }
    }
  }

  private func loggedIn(_ result: Result<Void, OperationError>) {
    if isEnding.withLock({ $0 }) { return }
    if case .failure(let failure) = result {
      Terminal.say("homeline: \(failure)")
      return context.end(failure.exitCode)
    }
    showPosts(5)
    let files = context.accountManager.files(of: account)
    say("A page for your browser, with feeds in the same folder:")
    say("   \(files.published(as: .html))")
    say("The whole timeline in one file, for any program:")
    say("   \(files.timeline)")
    if arguments.once {
      return context.accountManager.whenPicturesCame(within: .seconds(30), on: .main) { [self, context] in
        context.end(isJSON ? writeResult() : .done)
      }
    }
    say("It is now refreshed regularly. Press Ctrl-C to end the demonstration.")
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

  /// Prints the newest posts, reading the published file as any other program would.
  private func showPosts(_ count: Int) {
    do {
      let bytes = try File.read(context.accountManager.files(of: account).timeline, limit: 64 << 20)
      let form = isJSON ? TerminalForm(columns: Terminal.errorColumns) : context.environment.terminalForm
      let text = PlainText(at: WallClock.system.now, form: form)
      for post in try TimelineFile.read(bytes).posts.prefix(count).reversed() {
        say("")
        if isJSON { Terminal.draw(text.text(of: post)) } else { try Terminal.answer(.rendered(text.text(of: post))) }
      }
      say("")
    } catch { Terminal.say("homeline: could not read the published file: \(error)") }
  }

  private func writeResult() -> ExitCode {
    let files = context.accountManager.files(of: account)
    let (user, posts) = outcome.withLock { $0 }
    let json = JSONDocument.output { json in
      json.member("provider", arguments.provider.rawValue)
      json.member("account", account.name.text)
      json.member("user", user)
      json.member("posts", posts)
      json.member("page", files.published(as: .html))
      json.member("timeline", files.timeline)
    }
    do throws(SystemError) {
      try Terminal.answer(json)
      return .done
    } catch {
      Terminal.say("homeline: could not print the result: \(error)")
      return .inputOutput
    }
  }

  private func say(_ line: String) { if isJSON { Terminal.say(line) } else { try? Terminal.answer(line + "\n") } }
}
