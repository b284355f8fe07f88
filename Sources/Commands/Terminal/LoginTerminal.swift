internal import Control
internal import Glibc
internal import HomelineOAuth
internal import Platform

/// Shows a login's progress in the terminal: results on standard output, explanations on standard error.
struct LoginTerminal: EventDisplay {
  private let browser: Browser?
  private let environment: CommandEnvironment
  private let pressesAuthorise: Bool
  private let input: LoginInput
  /// The account's name, once the owner has sent it.
  private var account = ""

  /// - Parameter pressesAuthorise: whether the owner presses the button of the authorisation page itself.
  init(browser: Browser?, pressesAuthorise: Bool, _ context: DisplayContext) {
    self.pressesAuthorise = pressesAuthorise
    self.browser = browser
    environment = context.environment
    input = LoginInput(context.client)
  }

  mutating func show(_ event: any ControlEvent) {
    switch event {
    case let begun as BegunEvent:
      account = begun.account
      input.begin(for: begun.login)
    case let address as AddressEvent: show(address)
    case let code as CodeEvent: DeviceTerminal(account: account, environment: environment).show(code)
    case let notice as NoticeEvent: Terminal.say("homeline: \(notice.message)")
    case let user as AuthorisedEvent: answer("Authorised as @\(user.screenName) (\(user.userName)).")
    case let event as SetAsideEvent:
      answer("The former user's files are kept in:\n" + event.paths.map { "  \($0)" }.joined(separator: "\n"))
    case let token as StoredEvent: answer("The token is stored in \(token.path).")
    case let report as RefreshedEvent: RefreshTerminal.show(report)
    default: break
    }
  }

  private func show(_ address: AddressEvent) {
    Terminal.say("To authorise the account '\(account)', open:")
    answer(address.url)
    guard let callbackPort = address.callbackPort else {
      return Terminal.say("Then type in the PIN that the provider shows, and press Enter.")
    }
    if pressesAuthorise { return Terminal.say("Pressing Authorise there.") }
    let otherWays =
      """
      With a browser on another machine, first run there:
        ssh \(forwards(callbackPort, address.url))\(hostName)
      then open the address there. Or open it anywhere, and paste here the address that the browser is sent back to.
      """
    guard let browser else { return Terminal.say("No browser was opened here. " + otherWays) }
    Terminal.say("Opening it with \(browser.program). Waiting for the browser to come back …")
    do throws(SystemError) {
      try browser.open(address.url) { status in
        guard status != 0 else { return }
        Terminal.say("\(browser.program) ended with status \(status), so it may not show the page. " + otherWays)
      }
    } catch { Terminal.say("\(browser.program) could not be started (\(error)). " + otherWays) }
  }

  /// What has to be forwarded: the callback's port, and the provider's too where it is on this machine.
  private func forwards(_ callbackPort: Int, _ address: String) -> String {
    let provider = try? RequestURL(address)
    let ports = [callbackPort] + (provider?.isLoopback == true ? [provider?.port ?? 80] : [])
    return ports.map { "-L \($0):127.0.0.1:\($0) " }.joined()
  }

  private func answer(_ line: String) { try? Terminal.answer(line + "\n") }

  /// How this machine is reached: by the address of the session's own connection, or by its name.
  private var hostName: String {
    let connection = (environment.variables["SSH_CONNECTION"] ?? "").split(separator: " ")
    let user = environment.variables["USER"].map { "\($0)@" } ?? ""
    if connection.count == 4 { return user + connection[2] }
    var name = [UInt8](repeating: 0, count: 256)
    let failed = unsafe name.withUnsafeMutableBytes { unsafe gethostname($0.baseAddress!, $0.count) } != 0
    return user + (failed ? "HOST" : String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
  }
}

/// Shows where a code is to be typed in, and as a QR code too where a camera can see one.
struct DeviceTerminal {
  let account: String
  let environment: CommandEnvironment

  func show(_ code: CodeEvent) {
    Terminal.say("To authorise the account '\(account)', open this address on any device:")
    try? Terminal.answer(code.url + "\n")
    if let symbol = symbol(of: code) { Terminal.draw(symbol.lines.map { $0 + "\n" }.joined()) }
    Terminal.say("and type in this code:")
    try? Terminal.answer(code.code + "\n")
    Terminal.say("Waiting for that …")
  }

  /// The complete address, else the one where the code is typed in; nil where no terminal shows it whole.
  private func symbol(of code: CodeEvent) -> QRSymbol? {
    guard let columns = Terminal.errorColumns, environment.variables["TERM"] != "dumb",
      let symbol = QRSymbol(code.completeURL ?? code.url), symbol.columns <= columns
    else { return nil }
    return symbol
  }
}
