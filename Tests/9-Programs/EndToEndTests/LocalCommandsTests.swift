import Cryptography
import Glibc
import Platform
import TestSupport
import Testing

/// Commands that need neither a network nor a service.
@Suite struct LocalCommandsTests {
  private let home = TemporaryFolder()

  private func homeline(_ arguments: [String], _ variables: [String: String] = [:]) async throws -> ProgramRun.Outcome {
    try await ProgramRun.run(
      ProgramRun.product("homeline"), arguments, environment: ProgramRun.environment(home: home.path, variables))
  }

  /// Runs a script with `homeline` as `$0`.
  private func bash(_ script: String) async throws -> ProgramRun.Outcome {
    try await ProgramRun.run(
      "bash", ["-c", script, ProgramRun.product("homeline")], environment: ProgramRun.environment(home: home.path))
  }

  @discardableResult
  private func write(_ text: String, to path: String) throws -> String {
    let path = "\(home.path)/\(path)"
    try Folder.create(try #require(Folder.parent(of: path)))
    try AtomicFile.write(Array(text.utf8), to: path, .replaced)
    return path
  }

  // MARK: Usage and help

  @Test(
    "`homeline version` and `homeline --version` print the same text",
    arguments: [["version"], ["--version"], ["show", "--version", "--bad"]])
  func version(arguments: [String]) async throws {
    let outcome = try await homeline(arguments)
    #expect(outcome.output == "homeline 0.1.0\n")
    #expect(outcome.error == "")
    #expect(outcome.code == 0)
  }

  @Test(
    "homeline prints help wherever it is requested on the command line",
    arguments: [
      (["help", "show"], "homeline show - "), (["show", "--help"], "homeline show - "),
      (["--help", "show", "--no-such-option"], "homeline show - "), (["login", "-h"], "homeline login - "),
      (["help"], "homeline - "), (["--help"], "homeline - "),
    ])
  func help(arguments: [String], start: String) async throws {
    let outcome = try await homeline(arguments)
    #expect(outcome.output.hasPrefix(start))
    #expect(outcome.error == "")
    #expect(outcome.code == 0)
  }

  @Test(
    "A usage error prints only to standard error and exits with 64",
    arguments: [
      (["-v"], "homeline: no command was given\nSee: homeline help\n"),
      (["shwo"], "homeline: unknown command \"shwo\"; did you mean show?\nSee: homeline help\n"),
      (
        ["show", "--limt", "3"],
        "homeline: unknown option --limt; did you mean --limit?\nSee: homeline help show\n"
      ),
    ])
  func usage(arguments: [String], expected: String) async throws {
    let outcome = try await homeline(arguments)
    #expect(outcome.output == "")
    #expect(outcome.error == expected)
    #expect(outcome.code == 64)
  }

  @Test("Without a command, homeline lists the commands on standard error and exits with 64")
  func bare() async throws {
    let outcome = try await homeline([])
    #expect(outcome.output == "")
    #expect(outcome.error.hasPrefix("homeline - authorises accounts"), "\(outcome.error)")
    #expect(outcome.error.contains("\n  refresh "), "\(outcome.error)")
    #expect(outcome.error.hasSuffix("homeline: no command was given\n"), "\(outcome.error)")
    #expect(outcome.code == 64)
  }

  @Test("If writing to standard output fails, the command exits with 74")
  func fullDisk() async throws {
    let outcome = try await bash(#""$0" version > /dev/full"#)
    #expect(outcome.code == 74)
    #expect(outcome.error.hasPrefix("homeline: standard output: "))
  }

  @Test("A closed pipe ends the program silently, either by SIGPIPE or, if SIGPIPE is ignored, with 74")
  func brokenPipe() async throws {
    let killed = try await bash(#"exec 3> >(:); wait $!; "$0" help >&3"#)
    #expect(killed.code == 128 + SIGPIPE)
    #expect(killed.error == "")
    let ignored = try await bash(#"trap "" PIPE; exec 3> >(:); wait $!; "$0" help >&3"#)
    #expect(ignored.code == 74)
    #expect(ignored.error == "")
  }

  // MARK: Check

  @Test("The example configuration is valid when copied to the default location")
  func checkExample() async throws {
    let example = String(decoding: try ProgramRun.file("config.example.json"), as: UTF8.self)
    let path = try write(example, to: "config/homeline/config.json")
    let outcome = try await homeline(["check"])
    #expect(outcome.output.hasPrefix("\(path): no errors, 20 accounts\ndemo: sandbox\nbird: twitter, not enabled\n"))
    let cost = "\nx: x, not enabled, at most 15.00 USD a month: the monthly budget, prices as of 2026-08-22\n"
    #expect(outcome.output.contains(cost), "\(outcome.output)")
    #expect(outcome.error == "")
    #expect(outcome.code == 0)
  }

  @Test("`homeline check` prints the position of each problem in the configuration and exits with 78")
  func checkBroken() async throws {
    let path = try write(
      """
      {
        "callback": { "prot": 1 },
        "accounts": { "a": { "provider": "sandbox", "keep_posts": 0 } }
      }
      """, to: "other.json")
    let outcome = try await homeline(["check", "--config", path])
    #expect(
      outcome.output == """
        \(path):2:17: callback.prot: unknown key; did you mean port?
        \(path):3:61: accounts.a.keep_posts: expected a whole number from 1 to 10000, found 0

        """)
    #expect(outcome.error == "homeline: 2 errors\n")
    #expect(outcome.code == 78)
  }

  @Test("`homeline check` warns about a world-readable configuration only if it contains a secret")
  func checkOpenSecret() async throws {
    let server = #""issuer": "https://as.example""#
    let secret = #""client_secret": "s3cret+""#
    let path = try write(
      #"{ "accounts": { "a": { "provider": "oauth2", "client_id": "c", \#(secret), \#(server) }, "b": { "provider": "sandbox" } } }"#,
      to: "secret.json")
    for mode: mode_t in [0o644, 0o640, 0o660, 0o604] {
      chmod(path, mode)
      let outcome = try await homeline(["check", "--config", path])
      #expect(
        outcome.error
          == "homeline: warning: other users can read or change \(path) (mode \(String(mode, radix: 8))), which contains accounts.a.client_secret. Run: chmod 600 '\(path)'\n"
      )
      #expect(outcome.output.hasPrefix("\(path): no errors, 2 accounts\n"))
      #expect(outcome.code == 0)
    }
    chmod(path, 0o600)
    #expect(try await homeline(["check", "--config", path]).error == "")
    let named = try write(
      #"{ "accounts": { "a": { "provider": "oauth2", "client_id": "c", "client_secret": { "file": "~/s" }, \#(server) } } }"#,
      to: "named.json")
    chmod(named, 0o644)
    #expect(try await homeline(["check", "--config", named]).error == "")
  }

  @Test("Without a configuration, the error names the first step, and the file if the command named one")
  func checkNothing() async throws {
    let outcome = try await homeline(["check"])
    #expect(outcome.output == "")
    #expect(outcome.error == "homeline: there is no account yet. To add one: homeline login\n")
    #expect(outcome.code == 78)
    let path = "\(home.path)/other.json"
    let named = try await homeline(["check", "--config", path])
    #expect(named.error.hasPrefix("homeline: \(path): the configuration does not exist. To add an account there: "))
  }

  @Test("Commands exit with 78 if the configuration path is a folder or HOME is missing")
  func checkStrange() async throws {
    let folder = try await homeline(["check", "--config", home.path])
    #expect(folder.error == "homeline: \(home.path): \(String(cString: strerror(EISDIR)))\n")
    #expect(folder.code == 78)
    let homeless = try await ProgramRun.run(ProgramRun.product("homeline"), ["check"], environment: [:])
    #expect(homeless.error == "homeline: HOME is not an absolute path; set it to your home folder\n")
    #expect(homeless.code == 78)
  }

  // MARK: Sign

  /// The example in Twitter's documentation, "Creating a signature".
  private static let keys = [
    "HOMELINE_CONSUMER_KEY": "xvz1evFS4wEEPTGEFPHBog",
    "HOMELINE_CONSUMER_SECRET": "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw",
    "HOMELINE_TOKEN": "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb",
    "HOMELINE_TOKEN_SECRET": "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE",
  ]
  private static let request = [
    "sign", "POST", "https://api.twitter.com/1/statuses/update.json?include_entities=true", "--data",
    "status=Hello Ladies + Gentlemen, a signed OAuth request!", "--nonce", "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg",
    "--timestamp", "1318622958",
  ]
  private static let header =
    #"Authorization: OAuth oauth_consumer_key="xvz1evFS4wEEPTGEFPHBog", "#
    + #"oauth_nonce="kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg", "#
    + #"oauth_signature="tnnArxj06cWHq44gCs1OSKk%2FjLY%3D", oauth_signature_method="HMAC-SHA1", "#
    + #"oauth_timestamp="1318622958", oauth_token="370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb", "#
    + #"oauth_version="1.0""# + "\n"

  @Test("`homeline sign` needs no configuration to print the header of Twitter's published example")
  func sign() async throws {
    let outcome = try await homeline(Self.request, Self.keys)
    #expect(outcome.output == Self.header)
    #expect(outcome.error == "")
    #expect(outcome.code == 0)
  }

  @Test("`homeline sign --explain` prints the signed values, but no secret")
  func explain() async throws {
    let outcome = try await homeline(Self.request + ["--explain"], Self.keys)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 4)
    #expect(
      lines[0]
        == "normalised parameters: include_entities=true&oauth_consumer_key=xvz1evFS4wEEPTGEFPHBog"
        + "&oauth_nonce=kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg&oauth_signature_method=HMAC-SHA1"
        + "&oauth_timestamp=1318622958&oauth_token=370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb&oauth_version=1.0"
        + "&status=Hello%20Ladies%20%2B%20Gentlemen%2C%20a%20signed%20OAuth%20request%21")
    #expect(
      lines[1].hasPrefix(
        "signature base string: POST&https%3A%2F%2Fapi.twitter.com%2F1%2Fstatuses%2Fupdate.json&include_entities%3Dtrue%26"
      ))
    #expect(lines[2] == "signing key: <consumer secret>&<token secret>")
    #expect(lines[3] + "\n" == Self.header)
    for name in ["HOMELINE_CONSUMER_SECRET", "HOMELINE_TOKEN_SECRET"] {
      #expect(!outcome.output.contains(Self.keys[name]!))
    }
  }

  @Test("Two signatures of the same request have different nonces")
  func nonces() async throws {
    let arguments = ["sign", "GET", "http://example.org:8080/a"]
    let first = try await homeline(arguments, Self.keys)
    let second = try await homeline(arguments, Self.keys)
    #expect(first.code == 0)
    #expect(first.output != second.output)
  }

  @Test("If a key is missing, `homeline sign` names the variable to set")
  func missingKeys() async throws {
    let nothing = try await homeline(["sign", "GET", "https://example.org/"])
    #expect(nothing.error == "homeline: sign needs --account, or HOMELINE_CONSUMER_KEY in the environment\n")
    #expect(nothing.code == 64)
    for name in ["HOMELINE_CONSUMER_SECRET", "HOMELINE_TOKEN_SECRET"] {
      let outcome = try await homeline(["sign", "GET", "https://example.org/"], Self.keys.filter { $0.key != name })
      #expect(outcome.error.contains("\(name) is not"))
      #expect(outcome.output == "")
      #expect(outcome.code == 64)
    }
  }

  @Test("`homeline sign` creates PLAINTEXT signatures over plain HTTP only for this machine")
  func plaintext() async throws {
    let refused = try await homeline(
      ["sign", "GET", "http://example.org/", "--signature-method", "PLAINTEXT"], Self.keys)
    #expect(refused.code == 64)
    #expect(refused.output == "")
    let taken = try await homeline(
      ["sign", "GET", "http://127.0.0.1:1/", "--signature-method", "plaintext"], Self.keys)
    #expect(taken.code == 0)
  }

  // MARK: Show

  private static let head =
    #""provider": "sandbox", "user": null, "refreshed_at": "2020-01-01T00:00:00Z", "error": null"#
  private static func post(_ id: Int) -> String {
    #"{"id": "\#(id)", "created_at": "2020-01-01T00:00:0\#(id)Z", "author": {"id": "1", "screen_name": "s", "#
      + #""name": "Sean"}, "text": "post \#(id)", "new_member": [1]}"#
  }

  @discardableResult
  private func publish(_ account: String, next: String = #""2999-01-01T00:00:00Z""#) throws -> String {
    try write(
      """
      {"schema": 2, "account": "\(account)", \(Self.head), "fresh_until": \(next),
       "stale_since": null, "gaps": [{"after": "1", "before": "2", "fillable": true}],
       "posts": [\(Self.post(3)), \(Self.post(2)), \(Self.post(1))]}
      """, to: "cache/homeline/\(account)/home_timeline.json")
  }

  @Test("`homeline show` prints posts newest first and marks gaps")
  func showText() async throws {
    try publish("bird")
    let outcome = try await homeline(["show", "bird"])
    #expect(
      outcome.output == """
        Sean @s · 2020-01-01
          post 3

        Sean @s · 2020-01-01
          post 2

        · · ·  posts may be missing here

        Sean @s · 2020-01-01
          post 1

        """)
    #expect(outcome.error == "")
    #expect(outcome.code == 0)
  }

  @Test("`homeline show` prints posts in JSON exactly as in the file")
  func showJSON() async throws {
    try publish("bird")
    let array = try await homeline(["show", "bird", "--format", "json", "--limit", "2"])
    #expect(array.output == "[\n\(Self.post(3)),\n\(Self.post(2))\n]\n")
    let lines = try await homeline(["show", "bird", "--format=jsonl", "--limit=1"])
    #expect(lines.output == Self.post(3) + "\n")
  }

  @Test("`homeline show` prints stale posts, warns about them on standard error and exits with 0")
  func showStale() async throws {
    try publish("bird", next: #""2020-01-01T00:01:30Z""#)
    let outcome = try await homeline(["show", "--format=jsonl"])
    #expect(outcome.output.hasSuffix(Self.post(1) + "\n"))
    #expect(
      outcome.error
        == "homeline: bird: these posts are old, an update has been overdue since 2020-01-01T00:01:30Z: is the service running?\n"
    )
    #expect(outcome.code == 0)
  }

  @Test(
    "Without an account name, `homeline show` shows the enabled or else the published accounts"
  )
  func showChoice() async throws {
    let nothing = try await homeline(["show"])
    #expect(nothing.code == 77)
    try publish("bird")
    #expect(try await homeline(["show"]).code == 0)
    try publish("cat")
    let several = try await homeline(["show"])
    #expect(several.code == 0 && several.output.contains("· bird\n") && several.output.contains("· cat\n"))
    try write(
      #"{"sandbox": {"port": 0}, "accounts": {"cat": {"provider": "sandbox"}}}"#, to: "config/homeline/config.json")
    #expect(try await homeline(["show"]).code == 0)
    let unknown = try await homeline(["show", "dog"])
    #expect(unknown.code == 64)
    #expect(unknown.error == "homeline: there is no account \"dog\" (accounts: cat)\n")
  }

  @Test("`homeline show` uses colours only on terminals, and never if NO_COLOR is set")
  func colour() async throws {
    try publish("bird")
    func escapes(_ variables: [String: String]) async throws -> Bool {
      let outcome = try await ProgramRun.run(
        "script", ["-qec", "\(ProgramRun.product("homeline")) show bird", "/dev/null"],
        environment: ProgramRun.environment(home: home.path, variables.merging(["PAGER": "cat"]) { $1 }))
      #expect(outcome.code == 0)
      #expect(outcome.output.contains("post 3"))
      return outcome.output.contains("\u{1b}[")
    }
    #expect(try await escapes(["TERM": "xterm"]))
    #expect(try await escapes(["TERM": "xterm", "NO_COLOR": ""]))
    #expect(try await !escapes(["TERM": "xterm", "NO_COLOR": "1"]))
    #expect(try await !escapes(["TERM": "dumb"]))
    #expect(try await !homeline(["show", "bird"], ["TERM": "xterm"]).output.contains("\u{1b}"))
  }

  @Test("homeline is not linked to any network library")
  func libraries() async throws {
    let outcome = try await ProgramRun.run(
      "ldd", [ProgramRun.product("homeline")], environment: ProgramRun.environment(home: home.path))
    #expect(outcome.output.contains("libc.so"))
    #expect(!outcome.output.contains("libcurl"))
    #expect(!outcome.output.contains("libssl"))
  }

  @Test("If a published file is malformed, `homeline show` names its path and exits with 65")
  func showBad() async throws {
    let path = try write(#"{"schema": 1, "#, to: "cache/homeline/bird/home_timeline.json")
    let broken = try await homeline(["show", "bird"])
    #expect(broken.code == 65)
    #expect(broken.error.hasPrefix("homeline: \(path): "))
    try write(#"{"schema": 2}"#, to: "cache/homeline/bird/home_timeline.json")
    #expect(try await homeline(["show", "bird"]).code == 65)
  }

  // MARK: Running homelined

  @Test("Commands that need the network execute the installed homelined in the same process, with the same arguments")
  func handOver() async throws {
    let copy = "\(home.path)/bin/homeline"
    try Folder.create("\(home.path)/bin")
    let environment = ProgramRun.environment(home: home.path)
    #expect(try await ProgramRun.run("cp", [ProgramRun.product("homeline"), copy], environment: environment).code == 0)
    let missing = try await ProgramRun.run(copy, ["refresh"], environment: environment)
    #expect(missing.code == 70)
    #expect(missing.error.contains("neither \(home.path)/libexec/homeline/homelined nor \(home.path)/bin/homelined"))

    let daemon = try write("#!/bin/sh\necho \"$$\" \"$@\"\nexit 75\n", to: "libexec/homeline/homelined")
    chmod(daemon, 0o755)
    let program = try ProgramRun(copy, ["--config", "a b", "refresh", "bird"], environment: environment)
    let outcome = await program.end()
    #expect(outcome.output == "\(program.process) refresh --config a b bird\n")
    #expect(outcome.code == 75)
  }

  @Test("-v prints the configuration's path to standard error")
  func verbose() async throws {
    try publish("bird")
    let outcome = try await homeline(["-v", "show", "bird", "--format=jsonl", "--limit=1"])
    #expect(outcome.output == Self.post(3) + "\n")
    #expect(outcome.error == "homeline: the configuration is \(home.path)/config/homeline/config.json\n")
  }

  @Test("Arguments are validated before homelined is started")
  func checkedFirst() async throws {
    let outcome = try await homeline(["login", "--timeout", "soon"])
    #expect(outcome.code == 64)
    #expect(outcome.error.contains("--timeout must be a whole number"))
  }
}
