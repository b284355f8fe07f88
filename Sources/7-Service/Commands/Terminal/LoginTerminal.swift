internal import Bytes
internal import ControlProtocol
internal import Glibc
internal import Platform
internal import TerminalText

/// Shows a login's progress in the terminal: results on standard output, explanations on standard error.
struct LoginTerminal: EventDisplay {
  private let browser: Browser?
  /// Whether the address is opened if there is a browser.
  private let looksForBrowser: Bool
  private let environment: CommandEnvironment
  private let pressesAuthorise: Bool
  private let readsToken: Bool
  private let input: LoginInput
  /// Whether standard output is reserved for the JSON result.
  private let isJSON: Bool
  /// The account's name; empty until the state owner has sent it.
  private var account = ""
  /// The login's identifier; empty until the state owner has sent it.
  private var login = ""
  private var line = ProgressLine()

  /// - Parameters:
  ///   - looksForBrowser: whether the address is opened if there is a browser.
  ///   - pressesAuthorise: whether the state owner presses the button on the authorisation page.
  ///   - readsToken: whether standard input contains a token.
  init(looksForBrowser: Bool, pressesAuthorise: Bool, readsToken: Bool, _ context: DisplayContext) {
    self.readsToken = readsToken
    self.pressesAuthorise = pressesAuthorise
    self.looksForBrowser = looksForBrowser
    browser = looksForBrowser ? Browser(variables: context.environment.variables) : nil
    environment = context.environment
    isJSON = context.isJSON
    input = LoginInput(context.client)
  }

  mutating func show(_ event: any ControlEvent) {
    if let progress = event as? ProgressEvent { return line.show(ProgressUnits.pages.job(progress)) }
    line.clear()
    switch event {
    case let begun as BegunEvent:
      account = begun.account
      login = begun.login
      if !readsToken { input.begin(for: begun.login) }
    case let address as AddressEvent: show(address)
    case let code as CodeEvent: DeviceTerminal(account: account, environment: environment, answer: answer).show(code)
    case is PasswordEvent:
      if !Terminal.inputIsTerminal {
        Terminal.say(
          "homeline: there is no terminal here, so the user name and the password are read from standard input")
      }
      Terminal.say("To authorise the account '\(account)', type your user name and password. The password is not kept.")
      input.askPassword()
    case let token as TokenWantedEvent: input.readToken(lines: token.lines, for: login)
    case let notice as NoticeEvent: Terminal.say("homeline: \(notice.message)")
    case let user as AuthorisedEvent where user.isUnknown:
      answer("Authorised. The server does not say who you are.")
    case let user as AuthorisedEvent: answer("Authorised as @\(user.screenName) (\(user.userName)).")
    case let event as SetAsideEvent:
      answer("The previous user's files were moved to:\n" + event.paths.map { "  \($0)" }.joined(separator: "\n"))
    case let token as StoredEvent: answer("The token is stored in \(token.path).")
    case let report as RefreshedEvent: if !isJSON { RefreshTerminal.show(report) }
    default: break
    }
  }

  mutating func finish() -> ExitCode {
    line.clear()
    input.end()
    return .done
  }

  private func show(_ address: AddressEvent) {
    if looksForBrowser, browser == nil, address.callbackPort != nil {
      Terminal.say(
        "homeline: there is no browser here, so open the URL on any machine; homeline waits for the redirect")
    }
    Terminal.say("To authorise the account '\(account)', open:")
    answer(address.url)
    guard let callbackPort = address.callbackPort else {
      return Terminal.say("Then type the PIN that the provider shows, and press Enter.")
    }
    if pressesAuthorise { return Terminal.say("Pressing its Authorise button.") }
    let command = "ssh \(forwards(callbackPort, address.url))\(hostName)"
    guard let browser else { return Self.say("No browser was opened.", andOtherWaysBy: command) }
    Terminal.say("Opening it with \(browser.program). Waiting for the redirect …")
    do throws(SystemError) {
      try browser.open(address.url) { status in
        guard status != 0 else { return }
        Self.say(
          "\(browser.program) exited with status \(status) and may not have opened the page.", andOtherWaysBy: command)
      }
    } catch { Self.say("Could not start \(browser.program): \(error).", andOtherWaysBy: command) }
  }

  private static func say(_ reason: String, andOtherWaysBy command: String) {
    Terminal.say("\(reason) To use a browser on another machine, first run this command there:")
    Terminal.say(whole: "  \(command)")
    Terminal.say(
      "Then open the URL there. Or open it anywhere, and paste the redirect URL here."
    )
  }

  /// Returns the ssh options that forward the callback port and, if the provider is on this machine, the provider's port.
  private func forwards(_ callbackPort: Int, _ address: String) -> String {
    let provider = try? RequestURL(address)
    let ports = [callbackPort] + (provider?.isLoopback == true ? [provider?.port ?? 80] : [])
    return ports.map { "-L \($0):127.0.0.1:\($0) " }.joined()
  }

  private func answer(_ line: String) { if isJSON { Terminal.say(line) } else { try? Terminal.answer(line + "\n") } }

  /// This machine's address for ssh: the address that the current ssh session is connected to, otherwise the host name.
  private var hostName: String {
    let connection = (environment["SSH_CONNECTION"] ?? "").split(separator: " ")
    let user = environment["USER"].map { "\($0)@" } ?? ""
    if connection.count == 4 { return user + connection[2] }
    var name = [UInt8](repeating: 0, count: 256)
    let failed = unsafe name.withUnsafeMutableBytes { unsafe gethostname($0.baseAddress!, $0.count) } != 0
    return user + (failed ? "HOST" : String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
  }
}

/// Shows a device code and the address to open, with a QR code of the address if the terminal is large enough.
struct DeviceTerminal {
  let account: String
  let environment: CommandEnvironment
  /// Prints a line of the result.
  let answer: (String) -> Void

  func show(_ code: CodeEvent) {
    Terminal.say("To authorise the account '\(account)', open this URL on any device:")
    answer(code.url)
    if let symbol = symbol(of: code) { Terminal.draw(symbol.lines.map { $0 + RenderedText("\n") }.joined()) }
    Terminal.say("and type this code:")
    answer(code.code)
    Terminal.say("Waiting for the authorisation …")
  }

  /// Returns the QR code of the address that contains the code or, if there is no such address, of the plain address; nil if the QR code
  /// does not fit the terminal.
  private func symbol(of code: CodeEvent) -> QRSymbol? {
    guard let columns = Terminal.errorColumns, environment["TERM"] != "dumb",
      let symbol = QRSymbol(code.completeURL ?? code.url), symbol.columns <= columns
    else { return nil }
    return symbol
  }
}
