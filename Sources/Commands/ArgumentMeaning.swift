internal import HomelineOAuth
internal import Settings

/// Turns the sorted arguments of a command into its values.
struct ArgumentMeaning {
  private let words: ArgumentWords
  private let name: CommandName

  init(_ words: ArgumentWords, of name: CommandName) {
    self.words = words
    self.name = name
  }

  func command() throws(UsageError) -> Command {
    switch name {
    case .login: .login(try login())
    case .logout: .logout(try account(words.operands[0]))
    case .daemon: .daemon(once: words.has("--once"))
    case .status: .status(try firstAccount(), json: words.has("--json"))
    case .refresh: .refresh(try accounts())
    case .token: .token(try firstAccount())
    case .show: .show(try show())
    case .sign: .sign(try sign())
    case .check: .check
    case .demo: .demo(try demo())
    case .version: .version
    case .help: .help(try topic())
    }
  }

  private func login() throws(UsageError) -> Command.Login {
    var login = Command.Login(
      account: try firstAccount(), opensBrowser: !words.has("--no-browser"), usesPIN: words.has("--pin"),
      usesDevice: words.has("--device"), switchesUser: words.has("--switch-user"))
    if login.usesPIN, login.usesDevice { throw error("--pin and --device are two ways to log in; take one") }
    // A day: whoever wants longer has left.
    if let seconds = try number("--timeout", in: 1...86_400) { login.timeout = .seconds(seconds) }
    return login
  }

  private func show() throws(UsageError) -> Command.Show {
    var show = Command.Show(account: try firstAccount())
    if let limit = try number("--limit", in: 1...1_000_000) { show.limit = Int(limit) }
    if let text = words.value("--format") {
      let known = Command.Show.Format.allCases.map(\.rawValue)
      guard let format = Command.Show.Format(rawValue: text) else {
        throw error("--format is \(known.joined(separator: ", ")), not \(Shown.quoted(text))")
      }
      show.format = format
    }
    return show
  }

  private func sign() throws(UsageError) -> Command.Sign {
    let url: RequestURL
    do throws(RequestURLError) { url = try RequestURL(words.operands[1]) } catch { throw self.error("\(error)") }
    var sign = Command.Sign(method: words.operands[0], url: url, form: try form(), explains: words.has("--explain"))
    if let name = words.value("--account") { sign.account = try account(name) }
    sign.nonce = words.value("--nonce")
    sign.timestamp = try number("--timestamp", in: 1...Int64.max)
    if let text = words.value("--signature-method") {
      let known = SignatureMethod.allCases.map(\.rawValue)
      guard let method = SignatureMethod(named: text) else {
        throw error("--signature-method is \(known.joined(separator: ", ")), not \(Shown.quoted(text))")
      }
      sign.signatureMethod = method
    }
    return sign
  }

  private func demo() throws(UsageError) -> Command.Demo {
    var demo = Command.Demo(once: words.has("--once"), port: try number("--port", in: 1...65_535).map { UInt16($0) })
    if let text = words.value("--provider") {
      let known = DemoProvider.allCases.map(\.rawValue)
      guard let provider = DemoProvider(rawValue: text) else {
        throw error("--provider is \(known.joined(separator: ", ")), not \(Shown.quoted(text))")
      }
      demo.provider = provider
    }
    return demo
  }

  private func form() throws(UsageError) -> [Parameter] {
    var form: [Parameter] = []
    for text in words.all("--data") {
      let bytes = Array(text.utf8)
      guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else {
        throw error("--data NAME=VALUE: there is no = in \(Shown.quoted(text))")
      }
      form.append(Parameter(name: Array(bytes[..<equals]), value: Array(bytes[(equals + 1)...])))
    }
    return form
  }

  private func topic() throws(UsageError) -> CommandName? {
    guard let word = words.operands.first else { return nil }
    if let topic = CommandName(rawValue: word) { return topic }
    throw UsageError(
      "unknown command \(Shown.quoted(word))"
        + Shown.suggestion(for: word, among: CommandName.allCases.map(\.rawValue)))
  }

  private func firstAccount() throws(UsageError) -> AccountName? {
    guard let text = words.operands.first else { return nil }
    return try account(text)
  }

  private func accounts() throws(UsageError) -> [AccountName] {
    var accounts: [AccountName] = []
    for text in words.operands {
      let account = try account(text)
      if !accounts.contains(account) { accounts.append(account) }
    }
    return accounts
  }

  private func account(_ text: String) throws(UsageError) -> AccountName {
    guard let name = AccountName(text) else {
      throw error("\(Shown.quoted(text)) is no account's name: \(AccountName.rule)")
    }
    return name
  }

  private func number(_ option: String, in range: ClosedRange<Int64>) throws(UsageError) -> Int64? {
    guard let text = words.value(option) else { return nil }
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isPlain, let value = Int64(text), range.contains(value) else {
      let upper = range.upperBound == .max ? "on" : "to \(range.upperBound)"
      throw error("\(option) is a whole number from \(range.lowerBound) \(upper), not \(Shown.quoted(text))")
    }
    return value
  }

  private func error(_ message: String) -> UsageError { UsageError(message, in: name) }
}
