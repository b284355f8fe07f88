internal import CivilTime
internal import HomelineOAuth
internal import Settings

/// Turns the sorted arguments of a command into its values.
struct ArgumentMeaning {
  let words: ArgumentWords
  let name: CommandName
  /// What ages are counted back from.
  let now: Timestamp

  init(_ words: ArgumentWords, of name: CommandName, now: Timestamp) {
    self.words = words
    self.name = name
    self.now = now
  }

  func firstAccount() throws(UsageError) -> AccountName? {
    guard let text = words.operands.first else { return nil }
    return try account(text)
  }

  func accounts() throws(UsageError) -> [AccountName] {
    var accounts: [AccountName] = []
    for text in words.operands {
      let account = try account(text)
      if !accounts.contains(account) { accounts.append(account) }
    }
    return accounts
  }

  /// The account of an option.
  func account(of option: String) throws(UsageError) -> AccountName? {
    guard let text = words.value(option) else { return nil }
    return try account(text)
  }

  func account(_ text: String) throws(UsageError) -> AccountName {
    guard let name = AccountName(text) else {
      throw error("\(Shown.quoted(text)) is no account's name: \(AccountName.rule)")
    }
    return name
  }

  func number(_ option: String, in range: ClosedRange<Int64>) throws(UsageError) -> Int64? {
    guard let text = words.value(option) else { return nil }
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isPlain, let value = Int64(text), range.contains(value) else {
      let upper = range.upperBound == .max ? "on" : "to \(range.upperBound)"
      throw error("\(option) is a whole number from \(range.lowerBound) \(upper), not \(Shown.quoted(text))")
    }
    return value
  }

  /// The value of an option that is one of a few words.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ option: String, as type: Choice.Type
  ) throws(UsageError) -> Choice? {
    guard let text = words.value(option) else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    throw error("\(option) is \(known), not \(Shown.quoted(text))")
  }

  /// The value of an option that must not be empty.
  func text(_ option: String) throws(UsageError) -> String? {
    guard let text = words.value(option) else { return nil }
    if text.isEmpty { throw error("\(option): the value is empty") }
    return text
  }

  func moment(_ option: String) throws(UsageError) -> Timestamp? {
    guard let text = words.value(option) else { return nil }
    if let moment = Moment.parse(text, now: now) { return moment }
    throw error("\(option) is \(Moment.forms), not \(Shown.quoted(text))")
  }

  func error(_ message: String) -> UsageError { UsageError(message, in: name) }
}

/// A point in time as it is given on the command line.
enum Moment {
  /// What is taken, for messages.
  static let forms = "a day (2026-11-20), a time (2026-11-20T15:00:00Z) or an age (12h, 7d, 3w)"

  /// A day, which is its midnight in UTC; a date-time of RFC 3339; or an age of 1 to 99999 hours, days or weeks, counted
  /// back from `now`. Nil for anything else.
  static func parse(_ text: String, now: Timestamp) -> Timestamp? {
    Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text + "T00:00:00Z") ?? age(text).map { now - $0 }
  }

  private static func age(_ text: String) -> Duration? {
    let hours: [Character: Int64] = ["h": 1, "d": 24, "w": 168]
    guard let unit = text.last.flatMap({ hours[$0] }) else { return nil }
    let digits = text.dropLast()
    guard digits.utf8.count <= 5, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let count = Int64(digits), count > 0
    else { return nil }
    return .seconds(count * unit * 3600)
  }
}

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

extension ArgumentMeaning {
  func show() throws(UsageError) -> Command.Show {
    var show = Command.Show(
      account: try firstAccount(), view: try view(), onlyUnread: words.has("--unread"), follows: words.has("--follow"))
    if let text = words.value("--account") {
      if let operand = show.account {
        throw error("name the account once: \(operand), or --account \(Shown.plain(text))")
      }
      show.mergesAll = text == "all"
      if !show.mergesAll { show.account = try account(text) }
    }
    if show.view != nil, show.account != nil || show.mergesAll { throw eitherViewOrAccount }
    if let limit = try number("--limit", in: 1...1_000_000) { show.limit = Int(limit) }
    if let format = try choice("--format", as: Command.Show.Format.self) { show.format = format }
    if show.follows, show.format == .json {
      throw error("--follow has no end, and json is one array; take --format jsonl")
    }
    return show
  }

  func open() throws(UsageError) -> Command.Open {
    let open = Command.Open(account: try firstAccount(), view: try view(), onlyPrints: words.has("--print"))
    if open.view != nil, open.account != nil { throw eitherViewOrAccount }
    return open
  }

  private var eitherViewOrAccount: UsageError { error("name an account or a --view, not both") }

  private func view() throws(UsageError) -> AccountName? {
    guard let text = words.value("--view") else { return nil }
    if let name = AccountName(text) { return name }
    throw error("\(Shown.quoted(text)) is no view's name: \(AccountName.rule)")
  }
}

extension ArgumentMeaning {
  func sign() throws(UsageError) -> Command.Sign {
    let url: RequestURL
    do throws(RequestURLError) { url = try RequestURL(words.operands[1]) } catch { throw self.error("\(error)") }
    var sign = Command.Sign(method: words.operands[0], url: url, form: try form(), explains: words.has("--explain"))
    sign.account = try account(of: "--account")
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
}

extension ArgumentMeaning {
  func search() throws(UsageError) -> Command.Search {
    let (since, until) = try stretch()
    var search = Command.Search(
      query: words.operands.joined(separator: " "), account: try account(of: "--account"), since: since, until: until,
      author: try author("--from"))
    if let limit = try number("--limit", in: 1...1_000_000) { search.limit = Int(limit) }
    if let format = try choice("--format", as: Command.Search.Format.self) { search.format = format }
    return search
  }

  func export() throws(UsageError) -> Command.Export {
    let (since, until) = try stretch()
    var export = Command.Export(account: try firstAccount(), since: since, until: until)
    if let format = try choice("--format", as: Command.Export.Format.self) { export.format = format }
    return export
  }

  func importing() throws(UsageError) -> Command.Import {
    if words.operands[0].isEmpty { throw error("the name of the file is empty; - is standard input") }
    return Command.Import(file: words.operands[0], account: try account(of: "--account"))
  }

  func purge() throws(UsageError) -> Command.Purge {
    let given = ["--post", "--author", "--before"].filter { words.value($0) != nil }
    if given.count > 1 { throw error("\(given[0]) and \(given[1]) are two purges; take one after the other") }
    return Command.Purge(
      what: try purged(), account: try account(of: "--account"), isDryRun: words.has("--dry-run"))
  }

  private func purged() throws(UsageError) -> Command.Purge.What {
    if let id = try text("--post") { return .post(id) }
    if let author = try author("--author") { return .author(author) }
    if let moment = try moment("--before") {
      // Nothing older is taken again: the account would stay empty until then.
      if moment > now { throw error("--before is in the future, so that no new post would be kept either") }
      return .before(moment)
    }
    if words.value("--account") != nil { return .everything }
    throw error(
      "name what to remove: --post ID, --author NAME, --before DATE, or --account ACCOUNT alone for all of its posts")
  }

  /// A screen name without the @ that people write before one.
  private func author(_ option: String) throws(UsageError) -> String? {
    guard let given = try text(option) else { return nil }
    let name = given.hasPrefix("@") ? String(given.dropFirst()) : given
    if name.isEmpty { throw error("\(option): the value is empty") }
    return name
  }

  /// From when to when; both may be left out.
  private func stretch() throws(UsageError) -> (since: Timestamp?, until: Timestamp?) {
    let since = try moment("--since")
    let until = try moment("--until")
    if let since, let until, since >= until {
      throw error("--since \(since.rfc3339) is not before --until \(until.rfc3339), so nothing lies between")
    }
    return (since, until)
  }
}
