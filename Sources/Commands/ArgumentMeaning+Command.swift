internal import Settings

extension ArgumentMeaning {
  func command() throws(UsageError) -> Command {
    switch name {
    case .login: .login(try login())
    case .logout: .logout(try account(words.operands[0]))
    case .daemon: .daemon(once: words.has("--once"))
    case .status: .status(try firstAccount(), json: words.has("--json"), all: words.has("--all"))
    case .refresh: .refresh(try accounts())
    case .token: .token(try firstAccount())
    case .show: .show(try show())
    case .search: .search(try search())
    case .open: .open(try open())
    case .read: .read(Command.Mark(account: try firstAccount(), upTo: try text("--up-to")))
    case .export: .export(try export())
    case .importing: .importing(try importing())
    case .purge: .purge(try purge())
    case .sign: .sign(try sign())
    case .check: try check()
    case .demo: .demo(try demo())
    case .sandbox: .sandbox(try sandbox())
    case .version: .version
    case .help: .help(try topic())
    }
  }

  private func login() throws(UsageError) -> Command.Login {
    var login = Command.Login(
      account: try firstAccount(), opensBrowser: !words.has("--no-browser") && !words.has("--press-authorise"),
      usesPIN: words.has("--pin"), usesDevice: words.has("--device"), switchesUser: words.has("--switch-user"),
      pressesAuthorise: words.has("--press-authorise"))
    let ways = ["--pin", "--device", "--press-authorise"].filter { words.has($0) }
    if ways.count > 1 { throw error("\(ways[0]) and \(ways[1]) are two ways to log in; take one") }
    // A day: whoever wants longer has left.
    if let seconds = try number("--timeout", in: 1...86_400) { login.timeout = .seconds(seconds) }
    return login
  }

  private func check() throws(UsageError) -> Command {
    let account = try firstAccount()
    let looksAtArchive = words.has("--archive")
    if !looksAtArchive, let account {
      throw error("the configuration is checked as a whole; to check the posts of \(account), add --archive")
    }
    return .check(archive: looksAtArchive, account)
  }

  private func sandbox() throws(UsageError) -> Command.Sandbox {
    var sandbox = Command.Sandbox(redirects: words.all("--redirect-uri"))
    if let provider = try choice("--provider", as: Command.Sandbox.Provider.self) { sandbox.provider = provider }
    if let port = try number("--port", in: 0...65_535) { sandbox.port = UInt16(port) }
    for text in words.all("--fault") { sandbox.faults.append(try fault(text)) }
    return sandbox
  }

  /// `NAME`, or `NAME=N` for each Nth request.
  private func fault(_ text: String) throws(UsageError) -> Command.Sandbox.Fault {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = Command.Sandbox.Fault.Name(rawValue: String(parts[0])) else {
      let known = Command.Sandbox.Fault.Name.allCases.map(\.rawValue).joined(separator: ", ")
      throw error("--fault is \(known), not \(Shown.quoted(String(parts[0])))")
    }
    guard parts.count == 2 else { return Command.Sandbox.Fault(name: name) }
    guard let every = Int(parts[1]), (1...1_000_000).contains(every) else {
      throw error(
        "--fault \(name.rawValue)=N takes a whole number from 1 to 1000000, not \(Shown.quoted(String(parts[1])))")
    }
    return Command.Sandbox.Fault(name: name, every: every)
  }

  private func demo() throws(UsageError) -> Command.Demo {
    var demo = Command.Demo(once: words.has("--once"), port: try number("--port", in: 1...65_535).map { UInt16($0) })
    if let provider = try choice("--provider", as: DemoProvider.self) { demo.provider = provider }
    if let port = try number("--sandbox-port", in: 0...65_535) { demo.sandboxPort = UInt16(port) }
    return demo
  }

  private func topic() throws(UsageError) -> CommandName? {
    guard let word = words.operands.first else { return nil }
    if let topic = CommandName(rawValue: word) { return topic }
    throw UsageError(
      "unknown command \(Shown.quoted(word))"
        + Shown.suggestion(for: word, among: CommandName.allCases.map(\.rawValue)))
  }
}
