/// What each command takes: the parser, the help and the manual's test all read it here.
extension CommandName {
  /// What stands behind the command's name besides options, as the help shows it.
  package var operands: String {
    switch self {
    case .login, .status, .token, .show: "[ACCOUNT]"
    case .logout: "ACCOUNT"
    case .refresh: "[ACCOUNT ...]"
    case .sign: "METHOD URL"
    case .help: "[COMMAND]"
    case .daemon, .check, .demo, .version: ""
    }
  }

  /// How many operands it takes.
  var operandCount: ClosedRange<Int> {
    switch self {
    case .login, .status, .token, .show, .help: 0...1
    case .logout: 1...1
    case .refresh: 0...Int.max
    case .sign: 2...2
    case .daemon, .check, .demo, .version: 0...0
    }
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
      ]
    case .daemon: [Option("--once", "refresh each due account a single time and end")]
    case .status: [Option("--json", "answer in JSON, with the effective settings")]
    case .show:
      [
        Option("--limit", "N", "at most so many posts (default 20)"),
        Option("--format", "text|json|jsonl", "for people, one array, or an object a line (default text)"),
      ]
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
      ]
    case .logout, .refresh, .token, .check, .version, .help: []
    }
  }

  /// Whether it is the service's program that does it: all that needs the network.
  package var needsDaemonProgram: Bool {
    switch self {
    case .login, .logout, .daemon, .refresh, .token, .demo: true
    case .status, .show, .sign, .check, .version, .help: false
    }
  }
}
