import Bytes
import Cryptography
import HomelineOAuth
import Platform
import Settings
import Testing
import Time

@testable import Commands

@Suite struct CommandParserTests {
  private func parse(_ text: String) throws(UsageError) -> Invocation {
    try parse(text.split(separator: " ").map(String.init))
  }

  private func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
    try CommandParser(.standard).parse(arguments, now: Timestamp(seconds: 1_795_000_000))
  }

  private static let bird = AccountName("bird")!
  private static let cat = AccountName("cat")!
  private static let (birds, cats) = (TimelineOperand(bird), TimelineOperand(cat))

  @Test(
    "Command-line arguments are parsed into a command",
    arguments: [
      ("login", Command.Login()), ("login bird", Command.Login(account: bird)),
      (
        "login --no-browser --timeout 60 --pin --switch-user bird",
        Command.Login(account: bird, opensBrowser: false, timeout: .seconds(60), usesPIN: true, switchesUser: true)
      ),
      ("login --device bird", Command.Login(account: bird, usesDevice: true)),
      ("login bird --timeout=86400", Command.Login(account: bird, timeout: .seconds(86400))),
      ("login --timeout 5 --timeout 7", Command.Login(timeout: .seconds(7))), ("logout bird", Command.Logout(bird)),
      ("daemon", Command.Daemon(once: false)), ("daemon --once", Command.Daemon(once: true)),
      ("status", Command.Status()),
      ("status bird --format prometheus", Command.Status(birds, format: .prometheus)), ("refresh", Command.Refresh([])),
      ("refresh cat bird cat", Command.Refresh([cats, birds])), ("token", Command.Token()),
      ("token bird", Command.Token(bird)),
      ("show", Command.Show()),
      ("show --account bird", Command.Show(account: birds)), ("show --account all", Command.Show(mergesAll: true)),
      // As an operand, `all` is an account name.
      ("show all", Command.Show(account: TimelineOperand(AccountName("all")!))),
      (
        "show --view bird --unread --follow --format=jsonl",
        Command.Show(format: .jsonl, view: bird, onlyUnread: true, follows: true)
      ),
      ("open", Command.Open()), ("open bird --print", Command.Open(account: birds, onlyPrints: true)),
      ("open --view cat", Command.Open(view: cat)),
      ("web", Command.Web()), ("web --print", Command.Web(.print)), ("web --close", Command.Web(.close)),
      ("web --forget", Command.Web(.forget)),
      ("read", Command.Read()), ("read bird --up-to 12", Command.Read(account: birds, upTo: "12")),
      ("check --archive", Command.Check(checksArchive: true)),
      ("check --archive bird", Command.Check(checksArchive: true, bird)),
      ("show bird --limit 5 --format jsonl", Command.Show(account: birds, limit: 5, format: .jsonl)),
      ("check", Command.Check()), ("demo", Command.Demo()),
      ("keyring enable", Command.Keyring(.enable)), ("keyring status", Command.Keyring(.status)),
      ("keyring", Command.Keyring(.status)),
      ("demo --provider weibo", Command.Demo(provider: .weibo)),
      ("demo --once --port 8765", Command.Demo(once: true, port: 8765)),
      ("version", Command.Version()), ("help", Command.Help()), ("help login", Command.Help(topic: "login")),
      ("--version", Command.Version()), ("-V", Command.Version()), ("help config", Command.Help(topic: "config")),
      ("show --nonsense --version", Command.Version()), ("--help", Command.Help()), ("-h", Command.Help()),
      ("show --help", Command.Help(topic: "show")),
      ("--help show", Command.Help(topic: "show")), ("show --limit x y z -h", Command.Help(topic: "show")),
      ("nonsense --help", Command.Help()),
      ("status -- bird", Command.Status(birds)),
    ] as [(String, any CommandDeclaration)])
  func commands(text: String, expected: any CommandDeclaration) throws {
    #expect(try parse(text) == Invocation(expected))
  }

  @Test("Global options may come before the command, after it, or between its arguments")
  func global() throws {
    let expected = Invocation(
      Command.Status(Self.birds, format: .json), configurationFile: "a file", isVerbose: true, isJSON: true)
    #expect(try parse(["--config", "a file", "-v", "status", "bird", "--json"]) == expected)
    #expect(try parse(["--config=a file", "status", "-v", "--json", "bird"]) == expected)
    #expect(try parse(["status", "bird", "--config", "a file", "--json", "-v"]) == expected)
  }

  @Test("An option's value may look like another option, and may be empty")
  func values() throws {
    #expect(
      try parse(["check", "--config", "-v"])
        == Invocation(Command.Check(), configurationFile: "-v"))
    #expect(
      try parse(["check", "--config="]) == Invocation(Command.Check(), configurationFile: ""))
    #expect(
      try parse(["check", "--config=a=b"])
        == Invocation(Command.Check(), configurationFile: "a=b"))
  }

  @Test("Arguments after `--` are never options, not even --help")
  func dashes() {
    let error = #expect(throws: UsageError.self) { try parse("status -- --help") }
    #expect(error?.message == #""--help" is not a valid account name: \#(AccountName.rule)"#)
  }

  @Test("The arguments of `homeline sign` become a request, byte for byte")
  func sign() throws {
    let arguments = [
      "sign", "post", "http://example.org/a?b=c", "--data", "status=a=b &@é", "--data=empty=", "--account", "bird",
      "--nonce", "n", "--timestamp", "1", "--signature-method", "hmac-sha256", "--explain",
    ]
    let expected = Command.Sign(
      method: "post", url: try RequestURL("http://example.org/a?b=c"),
      form: [Parameter("status", "a=b &@é"), Parameter("empty", "")], account: Self.bird, nonce: "n", timestamp: 1,
      signatureMethod: .hmacSHA256, explains: true)
    #expect(try parse(arguments) == Invocation(expected))
    let short = Command.Sign(method: "GET", url: try RequestURL("https://example.org/"))
    #expect(try parse("sign GET https://example.org") == Invocation(short))
  }

  @Test(
    "Invalid arguments are refused with a message that states what is wrong",
    arguments: [
      ("", "no command was given", nil), ("-v", "no command was given", nil),
      ("logn", #"unknown command "logn"; did you mean login?"#, nil), ("xyz", #"unknown command "xyz""#, nil),
      ("-x check", "unknown option -x", nil),
      ("--once daemon", "unknown option --once", nil),
      ("daemon --onc", "unknown option --onc; did you mean --once?", "daemon"),
      ("daemon --once=yes", "--once does not take a value", "daemon"),
      ("login --timeout", "--timeout SECONDS: the value is missing", "login"),
      ("--config", "--config FILE: the value is missing", nil),
      ("login --timeout 0", #"--timeout must be a whole number from 1 to 86400, not "0""#, "login"),
      ("login --timeout 5m", #"--timeout must be a whole number from 1 to 86400, not "5m""#, "login"),
      ("login --timeout=", #"--timeout must be a whole number from 1 to 86400, not """#, "login"),
      ("login --timeout -1", #"--timeout must be a whole number from 1 to 86400, not "-1""#, "login"),
      ("login --timeout +1", #"--timeout must be a whole number from 1 to 86400, not "+1""#, "login"),
      ("daemon --once --reload", "--once and --reload cannot be combined", "daemon"),
      ("login --pin --device", "--pin and --device cannot be combined; use one of them", "login"),
      ("login a b", #"unexpected argument "b""#, "login"), ("check a b", #"unexpected argument "b""#, "check"),
      (
        "check bird",
        "checking the configuration does not take an account; to check the posts of bird, add --archive",
        "check"
      ),
      ("show bird --account cat", "specify the account only once: bird, or --account cat", "show"),
      ("show bird --account all", "specify the account only once: bird, or --account all", "show"),
      ("show --account Cat", #""Cat" is not a valid account name: \#(AccountName.rule)"#, "show"),
      ("show bird --view cat", "specify an account or a --view, not both", "show"),
      ("show --account all --view cat", "specify an account or a --view, not both", "show"),
      ("show --view _cat", #""_cat" is not a valid view name: \#(AccountName.rule)"#, "show"),
      (
        "show --follow --format json", "--follow cannot print one array; use --format jsonl", "show"
      ),
      ("open bird --view cat", "specify an account or a --view, not both", "open"),
      ("open --account bird", "unknown option --account", "open"),
      ("web --print --close", "give only one of --print, --close and --forget", "web"),
      ("web --json", "--json needs --print, --close or --forget", "web"),
      ("web bird", #"unexpected argument "bird""#, "web"),
      ("read bird --up-to=", "--up-to: the value is empty", "read"),
      ("login Bird", #""Bird" is not a valid account name: \#(AccountName.rule)"#, "login"),
      ("show ../x", #""../x" is not a valid account name: \#(AccountName.rule)"#, "show"),
      ("login -", #""-" is not a valid account name: \#(AccountName.rule)"#, "login"),
      ("logout", "logout needs ACCOUNT", "logout"), ("sign GET", "sign needs METHOD URL", "sign"),
      ("show --limit 0", #"--limit must be a whole number from 1 to 1000000, not "0""#, "show"),
      ("show --format xml", #"--format must be one of text, json, jsonl, not "xml""#, "show"),
      ("demo --port 65536", #"--port must be a whole number from 1 to 65535, not "65536""#, "demo"),
      ("demo --provider wiebo", #"--provider must be one of twitter, x, weibo, mastodon, not "wiebo""#, "demo"),
      ("help logn", #"unknown command "logn"; did you mean login?"#, nil),
      ("sign GET example.org", "The URL does not begin with http:// or https://.", "sign"),
      (
        "sign GET https://example.org/ --signature-method RSA-SHA1",
        #"--signature-method must be one of HMAC-SHA1, HMAC-SHA256, HMAC-SHA512, PLAINTEXT, not "RSA-SHA1""#, "sign"
      ),
      ("sign GET https://example.org/ --data x", #"--data NAME=VALUE: there is no = in "x""#, "sign"),
      (
        "sign GET https://example.org/ --timestamp 0", #"--timestamp must be a whole number of at least 1, not "0""#,
        "sign"
      ),
    ] as [(String, String, String?)])
  func errors(text: String, message: String, command: String?) {
    let error = #expect(throws: UsageError.self) { try parse(text) }
    #expect(error == UsageError(message, in: command))
  }

  @Test("An error message names the help page with the details")
  func description() {
    #expect(UsageError("x", in: "login").description == "x\nSee: homeline help login")
    #expect(UsageError("x").description == "x\nSee: homeline help")
    #expect(UsageError("x").exitCode == .usage)
    #expect(CommandError(UsageError("x")).message == "x\nSee: homeline help")
  }

  @Test("Error messages never contain terminal control characters from the arguments")
  func controlCharacters() {
    let error = #expect(throws: UsageError.self) { try parse(["\u{1b}[2J"]) }
    #expect(error?.message == #"unknown command "\u{1b}[2J""#)
  }

  @Test("Commands that need the network or the archives run in homelined, and the sandbox runs as a separate program")
  func programs() {
    func names(_ program: LibexecProgram) -> [String] {
      CommandRegistry.standard.commands.filter { $0.program == program }.map { $0.name }
    }
    #expect(
      names(.daemon)
        == [
          "login", "logout", "account", "init", "status", "refresh", "timelines", "token", "show", "search", "open",
          "web", "read", "drive",
          "post", "outbox", "delete", "repost", "like", "bookmark", "export", "import", "purge", "daemon", "check",
          "keyring", "doctor", "report", "backup", "restore", "demo", "sign", "discover",
        ])
    #expect(names(.sandbox) == ["sandbox"])
  }

  @Test("Every command has a unique name and lists its operands by position")
  func declarations() {
    let commands = CommandRegistry.standard.commands
    #expect(Set(commands.map { $0.name }).count == commands.count)
    for command in commands {
      // Only the last operand may be optional or repeated, because otherwise the parser could not tell the operands apart. A command whose
      // operands are all optional tells them apart itself.
      let counts = command.operands.map(\.count)
      #expect(
        counts.dropLast().allSatisfy { $0 == .one } || counts.allSatisfy { $0 == .optional }, "\(command.name)")
      let options = (command.options + GlobalOptions.all).map(\.description.name)
      #expect(Set(options).count == options.count, "\(command.name)")
    }
  }
}
