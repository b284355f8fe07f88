internal import ControlProtocol
internal import Platform
internal import TerminalText

/// Sends the lines of standard input to a login, on a background thread.
struct LoginInput {
  /// The timeout for one line.
  private static let lineTimeout = Duration.seconds(10)

  private let client: ControlClient
  /// Whether the next line is the user name of a login with a password.
  private let isUserNameNext = Locked(false)

  init(_ client: ControlClient) { self.client = client }

  /// Restores the terminal if the login ended while a password was being typed.
  func end() { PassphrasePrompt.restoreTerminal() }

  /// Prompts for a user name, which is the next line. After that line, prompts for a password, which the terminal does not show.
  func askPassword() {
    isUserNameNext.withLock { $0 = true }
    Terminal.draw(RenderedText("User name: "))
  }

  /// Reads a token on a background thread. If standard input is a terminal, prompts for each line, which the terminal does not show.
  func readToken(lines: Int, for login: String) {
    try? DetachedThread.start { [client] in
      for label in ["Token", "Token secret"].prefix(lines) {
        let line: String? =
          if Terminal.inputIsTerminal {
            ((try? PassphrasePrompt.ask(label)) ?? nil).map { String(decoding: $0, as: UTF8.self) }
          } else {
            readLine()
          }
        Self.send(line, to: login, client)
        if line == nil { return }
      }
    }
  }

  func begin(for login: String) {
    Self.eachLine { [client, isUserNameNext] line in
      Self.send(line, to: login, client)
      let isPasswordNext = isUserNameNext.withLock { isNext in
        defer { isNext = false }
        return isNext
      }
      // If standard input is not a terminal, the password is read like any other line.
      guard isPasswordNext, line != nil, Terminal.inputIsTerminal else { return }
      let password = (try? PassphrasePrompt.ask("Password")) ?? nil
      Self.send(password.map { String(decoding: $0, as: UTF8.self) }, to: login, client)
    }
  }

  /// Reads the lines of standard input on a background thread. The thread may block forever without delaying the exit of the program.
  /// - Parameter handle: called on that thread with each line, and with nil at the end.
  private static func eachLine(_ handle: @escaping @Sendable (String?) -> Void) {
    // If the thread cannot be started, nothing can be pasted, but the browser's redirect still works.
    try? DetachedThread.start {
      while let line = readLine() { handle(line) }
      handle(nil)
    }
  }

  private static func send(_ line: String?, to login: String, _ client: ControlClient) {
    var line = line
    // Input that is not UTF-8 contains replacement characters by now. A token or password with them would be refused for an invisible
    // reason.
    if line?.unicodeScalars.contains("\u{FFFD}") == true {
      Terminal.say(
        "homeline: the line on standard input is not UTF-8 and is not used. Your terminal may use another encoding: see locale charmap"
      )
      line = nil
    }
    do throws(ControlClientError) {
      try client.send(LoginInputRequest(login: login, line.map { .line($0) } ?? .end), timeout: lineTimeout)
    } catch {
      switch error {
      // The login has ended, as its events report.
      case .refused, .unreachable, .unanswered, .hungUp, .brokenOff: break
      case .timedOut, .malformed: Terminal.say("homeline: could not send the input to the login: \(error)")
      }
    }
  }
}
