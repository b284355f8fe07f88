package import Commands
package import Control
internal import HTTP
package import Platform
internal import Settings

/// The commands as a person at a terminal has them: asks the owner of the state, and shows what it tells.
package struct Console: Sendable {
  let client: ControlClient
  private let configuration: String?
  private let surroundings: Surroundings

  /// For the owner to say by which configuration it works.
  private static let patience = Duration.seconds(5)

  /// - Parameter configuration: the file that the user named for this command; an owner that works by another one is not
  ///   asked.
  package init(_ client: ControlClient, configuration: String? = nil, surroundings: Surroundings) {
    self.client = client
    self.configuration = configuration
    self.surroundings = surroundings
  }

  /// Has a command done and waits for its end. What it says is said by then, failures too.
  /// - Throws: when nobody took it on, so that it may be tried elsewhere.
  /// - Returns: what the program should end with.
  package func run(_ command: OwnerCommand) throws(NobodyTookIt) -> ExitCode {
    do throws(ControlClientError) {
      if let other = try otherConfiguration() {
        Terminal.say("homeline: \(other)")
        return .temporary
      }
      switch command {
      case .login(let arguments): return try login(arguments)
      case .logout(let account): return try logout(account)
      case .refresh(let accounts): return try refresh(accounts)
      case .token(let account): return try token(account)
      case .mark(let arguments): return try mark(arguments)
      case .importing(let arguments): return try take(arguments)
      case .purge(let arguments): return try purge(arguments)
      }
    } catch {
      if let reason = NobodyTookIt(error) { throw reason }
      // Whoever hung up knows why.
      if error != .hungUp { Terminal.say("homeline: \(error)") }
      return error.exitCode
    }
  }

  /// Why the owner cannot do what is meant, when it works by another configuration than the one named.
  private func otherConfiguration() throws(ControlClientError) -> String? {
    guard let configuration else { return nil }
    let owner = try client.status(timeout: Self.patience).owner
    guard File.realPath(configuration) != File.realPath(owner.configuration) else { return nil }
    return
      "homeline \(owner.command) (process \(owner.processID)) works with the accounts just now, by the configuration "
      + "\(owner.configuration); leave --config out, or try again when it has ended"
  }

  private func login(_ arguments: Command.Login) throws(ControlClientError) -> ExitCode {
    let browser = arguments.opensBrowser ? Browser(variables: surroundings.variables) : nil
    let input = LoginInput(client)
    var terminal = LoginTerminal(
      browser: browser, pressesAuthorise: arguments.pressesAuthorise, surroundings: surroundings)
    let end = try client.events(
      of: .login(
        ControlRequest.Login(
          account: arguments.account?.text, timeoutSeconds: Int(arguments.timeout.components.seconds),
          usesPIN: arguments.usesPIN, usesDevice: arguments.usesDevice, switchesUser: arguments.switchesUser,
          pressesAuthorise: arguments.pressesAuthorise))
    ) { event in
      if case .begun(let begun) = event { input.begin(for: begun.login) }
      terminal.show(event)
    }
    return close(end)
  }

  private func logout(_ account: AccountName) throws(ControlClientError) -> ExitCode {
    close(
      try client.events(of: .logout(account: account.text)) { event in
        switch event {
        case .loggedOut(let report): try? Terminal.answer("\(report.account): \(report.message)\n")
        case .notice(let sentence): Terminal.say("homeline: \(sentence)")
        default: break
        }
      })
  }

  private func refresh(_ accounts: [AccountName]) throws(ControlClientError) -> ExitCode {
    var bar = ProgressBar(of: ("page", "pages"), bringing: ("new post", "new posts"))
    let end = try client.events(of: .refresh(accounts: accounts.map(\.text))) { event in
      if case .progress(let progress) = event { return bar.show(progress) }
      bar.clear()
      switch event {
      case .refreshed(let report): RefreshTerminal.show(report)
      case .notice(let sentence): Terminal.say("homeline: \(sentence)")
      default: break
      }
    }
    return close(end)
  }

  private func token(_ account: AccountName?) throws(ControlClientError) -> ExitCode {
    var written: ExitCode?
    let end = try client.events(of: .token(account: account?.text)) { event in
      switch event {
      case .token(let token): written = TokenTerminal.show(token.accessToken)
      case .notice(let sentence): Terminal.say("homeline: \(sentence)")
      default: break
      }
    }
    return close(end).worse(written ?? .done)
  }

  func close(_ end: ControlEvent.End) -> ExitCode {
    if let message = end.message { Terminal.say("homeline: \(message)") }
    return end.exit
  }
}

extension ControlClientError {
  /// What a command ends with that met it.
  fileprivate var exitCode: ExitCode {
    switch self {
    case .refused(let refusal): refusal.exit
    case .unreachable, .unanswered, .brokenOff, .timedOut, .hungUp: .temporary
    case .malformed: .software
    }
  }
}

/// Why a command was not taken on by the owner that was asked: it has ended, is about to, or does not listen yet.
package struct NobodyTookIt: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  /// - Returns: nil where somebody did.
  init?(_ error: ControlClientError) {
    switch error {
    case .unreachable, .unanswered: break
    case .refused(let refusal) where refusal.status == .serviceUnavailable: break
    case .refused, .brokenOff, .timedOut, .malformed, .hungUp: return nil
    }
    description = "\(error)"
  }
}
