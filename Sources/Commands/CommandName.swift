/// What each command takes: the parser, the help and the manual's test all read it here.
extension CommandName {
  /// What stands behind the command's name besides options, as the help shows it.
  package var operands: String {
    switch self {
    case .login, .status, .token, .show, .open, .read, .export, .check: "[ACCOUNT]"
    case .search: "QUERY ..."
    case .importing: "FILE"
    case .logout: "ACCOUNT"
    case .refresh: "[ACCOUNT ...]"
    case .sign: "METHOD URL"
    case .help: "[COMMAND]"
    case .daemon, .demo, .sandbox, .version, .purge: ""
    }
  }

  /// How many operands it takes.
  var operandCount: ClosedRange<Int> {
    switch self {
    case .login, .status, .token, .show, .help, .open, .read, .export, .check: 0...1
    case .logout, .importing: 1...1
    case .search: 1...Int.max
    case .refresh: 0...Int.max
    case .sign: 2...2
    case .daemon, .demo, .sandbox, .version, .purge: 0...0
    }
  }

  /// What else to say of an unknown option: of a command whose operands often begin with a dash.
  var adviceOnDashes: String {
    self == .search ? "; put -- before a query with a word to be left out: homeline search -- cat -dog" : ""
  }

  /// The options that are its own.
  package var options: [Option] {
    switch self {
    case .login:
      [
        Option("--no-browser", "only print the address"),
        Option("--timeout", "SECONDS", "wait so long for the redirect (default 300)"),
        Option("--pin", "have the provider show a PIN to type in, instead of a redirect"),
        Option("--device", "type a code in on any other device, instead of a redirect"),
        Option("--switch-user", "take another user than before; the old one's data is set aside"),
        Option("--press-authorise", "press the button itself; only the sandbox allows that"),
      ]
    case .daemon: [Option("--once", "refresh each due account a single time and end")]
    case .status:
      [
        Option("--json", "answer in JSON, with the effective settings"),
        Option("--all", "also accounts that are not enabled (JSON always has them)"),
      ]
    case .show:
      [
        Option("--limit", "N", "at most so many posts (default 20)"),
        Self.postFormat,
        Option("--account", "ACCOUNT", "as the operand; all is every published account, merged by time"),
        Option("--view", "NAME", "show this view instead of an account"),
        Option("--unread", "only what is not marked as read"),
        Option("--follow", "go on with the posts that come, until Ctrl-C"),
      ]
    case .search:
      [
        Option("--account", "ACCOUNT", "only in this account's archive (default: in all)"),
        Self.since, Self.until,
        Option("--from", "AUTHOR", "only posts by this screen name"),
        Option("--limit", "N", "at most so many posts (default 20)"),
        Self.postFormat,
      ]
    case .open:
      [
        Option("--view", "NAME", "the page of this view instead of an account"),
        Option("--print", "only print the page's path"),
      ]
    case .read: [Option("--up-to", "ID", "the newest post that is read (default: the newest published)")]
    case .export:
      [
        Self.since, Self.until,
        Option("--format", "jsonl|json|csv", "an object a line, one array, or a table (default jsonl)"),
      ]
    case .importing: [Option("--account", "ACCOUNT", "whose archive takes the posts")]
    case .purge:
      [
        Option("--post", "ID", "remove this post"),
        Option("--author", "NAME", "remove all that this screen name wrote or reposted"),
        Option("--before", "DATE", "remove what is older, and take nothing older again"),
        Option("--account", "ACCOUNT", "only in this archive; alone: all posts of it"),
        Option("--dry-run", "only say what would be removed"),
      ]
    case .check: [Option("--archive", "check the databases of the posts instead; all without ACCOUNT")]
    case .sign:
      [
        Option("--data", "NAME=VALUE", "a parameter of the form body; may be given again"),
        Option("--account", "ACCOUNT", "sign with the keys and the token of this account"),
        Option("--nonce", "N", "instead of a random one"),
        Option("--timestamp", "T", "seconds since 1970, instead of now"),
        Option("--signature-method", "M", "HMAC-SHA1, HMAC-SHA256, HMAC-SHA512 or PLAINTEXT"),
        Option("--explain", "print first what is signed, and with which key, its secrets masked"),
      ]
    case .demo:
      [
        Option("--provider", "NAME", "play twitter (the default), x, weibo or mastodon"),
        Option("--once", "end after the first refresh"),
        Option("--port", "PORT", "listen for the redirect on this port (default: a free one)"),
        Option("--sandbox-port", "PORT", "serve the simulated provider on this port (default 8766; 0: a free one)"),
      ]
    case .sandbox:
      [
        Option("--provider", "NAME", "simulate this one (default twitter)"),
        Option("--port", "PORT", "serve on this port of loopback (default 8766; 0: a free one)"),
        Option("--redirect-uri", "URI", "register this one (default http://127.0.0.1/callback); may be given again"),
        Option("--fault", "NAME[=N]", "let each request to the API fail, or each Nth; may be given again"),
      ]
    case .logout, .refresh, .token, .version, .help: []
    }
  }

  private static let postFormat = Option(
    "--format", "text|json|jsonl", "for people, one array, or an object a line (default text)")
  private static let since = Option("--since", "DATE", "from this moment on: a day, a time or an age, such as 7d")
  private static let until = Option("--until", "DATE", "before this moment")

  /// Whether it is the service's program that does it: all that needs the network.
  package var needsDaemonProgram: Bool {
    switch self {
    case .login, .logout, .daemon, .refresh, .token, .demo, .read, .importing, .purge: true
    case .status, .show, .sign, .check, .version, .help, .search, .open, .export, .sandbox: false
    }
  }
}

/// An option of a command, as the parser takes it and as the help shows it.
package struct Option: Sendable, Hashable {
  /// With its dashes: `--timeout`.
  package let name: String
  /// What stands for its value in the help; nil for a switch.
  package let value: String?
  package let help: String

  /// A switch.
  init(_ name: String, _ help: String) {
    self.name = name
    value = nil
    self.help = help
  }

  /// An option with a value.
  init(_ name: String, _ value: String, _ help: String) {
    self.name = name
    self.value = value
    self.help = help
  }

  /// `--timeout SECONDS`.
  package var usage: String { value.map { "\(name) \($0)" } ?? name }

  /// What every command takes.
  package static let global = [
    Option("--config", "FILE", "read this configuration instead of $XDG_CONFIG_HOME/homeline/config.json"),
    Option("-v", "say on standard error what is being done"),
    Option("--help", "show this help"),
    Option("--version", "show the version"),
  ]
}

/// The commands, in the order of the help.
package enum CommandName: String, Sendable, Hashable, CaseIterable {
  case login
  case logout
  case daemon
  case status
  case refresh
  case token
  case show
  case search
  case open
  case read
  case export
  case importing = "import"
  case purge
  case sign
  case check
  case demo
  case sandbox
  case version
  case help
}
