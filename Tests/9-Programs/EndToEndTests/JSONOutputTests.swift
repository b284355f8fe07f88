import Commands
import Glibc
import KeyringTestSupport
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// The output of each command with `--json`, which an independent validator checks against the schema that the command declares.
@Suite("`--json`", .timeLimit(.minutes(4))) struct JSONOutputTests {
  /// The commands that declare JSON output, with their schemas.
  private static let commands = CommandRegistry.standard.documented.compactMap { command in
    command.json.map { (name: command.name, schema: $0.schema) }
  }

  @Test("The output of every command that has --json conforms to its JSON Schema", .needsPeers, arguments: commands)
  func conforming(name: String, schema: String) async throws {
    let run = try #require(JSONRuns.all[name], "no test runs homeline \(name) --json; add it to JSONRuns")
    try await Self.check(try await run(), schema, printsToken: name == "token")
  }

  @Test("The output of `homeline keyring enable --json` conforms to its JSON Schema", .needsPeers)
  func keyring() async throws {
    let session = try await KeyringSession.open()
    let bus = try #require(session.environment["DBUS_SESSION_BUS_ADDRESS"])
    let fixture = try XFixture(variables: ["DBUS_SESSION_BUS_ADDRESS": bus])
    try await session.start(.unlocked)
    try await fixture.logIn()
    let runs = try await JSONRuns(fixture.home).adding("keyring", "enable").adding("keyring", "status")
    #expect(runs.outputs.first?.contains(#""event":"protected""#) == true)
    #expect(runs.outputs.last?.contains(#""form": "encrypted""#) == true)
    try await Self.check(runs, "keyring")
  }

  @Test("Each schema refuses a document without the required members", .needsPeers, arguments: commands)
  func refusing(name: String, schema: String) async throws {
    let folder = TemporaryFolder()
    for (number, document) in ["{}", "[{}]"].enumerated() {
      let path = "\(folder.path)/\(number)"
      try AtomicFile.write(Array(document.utf8), to: path, .replaced)
      #expect(try await PublishedSchemaTests.violations(of: schema, path) != "", "\(document)")
    }
  }

  @Test("A command without JSON output refuses --json")
  func unknown() async throws {
    let outcome = try await TestInstallation().run("help", "--json")
    #expect(outcome.code == 64 && outcome.error.contains("unknown option --json"), "\(outcome.error)")
  }

  @Test("A command that fails after it has started prints its result, with the exit code and the message")
  func failed() async throws {
    let home = try TestInstallation()
    let outcome = try await home.run("refresh", "demo", "--json")
    #expect(outcome.code == 77, "\(outcome.error)")
    let result = try JSONValue(Array(outcome.output.utf8))
    #expect(result["exit"].integer == 77)
    #expect(
      result["results"].items.first?["message"].text?.contains("homeline login demo") == true, "\(outcome.output)")
  }

  /// Checks outputs against a schema, and that they contain no stored secret.
  private static func check(_ runs: JSONRuns, _ schema: String, printsToken: Bool = false) async throws {
    let secrets = printsToken ? [] : try runs.secrets()
    for (number, output) in runs.outputs.enumerated() {
      let path = "\(runs.home.path)/output-\(number).json"
      try AtomicFile.write(Array(output.utf8), to: path, .replaced)
      #expect(try await PublishedSchemaTests.violations(of: schema, path) == "", "\(output)")
      for secret in secrets { #expect(!output.contains(secret), "\(output)") }
    }
    #expect(!runs.outputs.isEmpty)
  }
}

/// Runs of commands with `--json`, and their outputs.
struct JSONRuns {
  let home: TestInstallation
  private(set) var outputs: [String] = []
  /// Objects that must exist while commands run, such as a server.
  private let kept: (any Sendable)?

  init(_ home: TestInstallation, keeping kept: (any Sendable)? = nil) {
    self.home = home
    self.kept = kept
  }

  /// Runs a command with `--json`.
  /// - Parameter code: the expected exit code.
  func adding(
    _ arguments: String..., code: Int32 = 0, variables: [String: String] = [:]
  ) async throws -> JSONRuns {
    let outcome = try await home.start(arguments + ["--json"], variables).end()
    try #require(outcome.code == code, "\(arguments): \(outcome.output)\(outcome.error)")
    var runs = self
    runs.outputs.append(outcome.output)
    return runs
  }

  /// Returns the secrets in the accounts' tokens.
  func secrets() throws -> [String] {
    try home.files(below: "\(home.path)/state").filter { $0.hasSuffix("/token.json") }.flatMap { path in
      let token = try JSONValue(file: path)
      return ["access_token", "refresh_token", "secret", "token_secret"].compactMap { token[$0].text }
    }
  }

  /// The runs of each command.
  static let all: [String: @Sendable () async throws -> JSONRuns] = [
    "login": { try await JSONRuns(TestInstallation()).adding("login", "demo", "--press-authorise") },
    "logout": { try await authorised().adding("logout", "demo") },
    "account": { try await authorised().adding("account", "list") },
    "init": {
      let home = try TestInstallation()
      try File.remove(home.configuration)
      return try await JSONRuns(home).adding("init")
    },
    "status": {
      let fixture = try XFixture()
      try await fixture.logIn()
      let daemon = try await RunningDaemon(fixture.home)
      let runs = try await JSONRuns(fixture.home).adding("status")
      await daemon.stop()
      try fixture.home.configure("{")
      return try await runs.adding("status", "--format", "json")
    },
    "refresh": { try await authorised().adding("refresh") },
    "token": {
      let fixture = try XFixture()
      try await fixture.logIn()
      return try await JSONRuns(fixture.home, keeping: fixture).adding("token").adding("token", "--renew")
    },
    "timelines": {
      let fixture = try await PostingHome(scopes: nil)
      return try await JSONRuns(fixture.home, keeping: fixture).adding("timelines").adding("timelines", "ann")
    },
    "show": { try await authorised().adding("show").adding("show", "--account", "all", "--limit", "3") },
    "search": { try await authorised().adding("search", "the").adding("search", "nothingmatchesthis") },
    "open": {
      let home = try TestInstallation(account: #""keep_posts": 20, "publish": ["html"]"#)
      try await home.logIn()
      return try await JSONRuns(home).adding("open", "--print")
    },
    "web": {
      let port = try ReservedPort()
      let fixture = try await PostingFixture(
        withService: true, more: #""web": {"port": \#(port.port), "origins": ["https://box.example"]}"#)
      let runs = try await JSONRuns(fixture.home, keeping: fixture).adding("web", "--print").adding("web", "--forget")
      return try await runs.adding("web", "--close").adding("web", "--close")
    },
    "read": { try await authorised().adding("read") },
    "drive": {
      let drive = try await DriveHome()
      try drive.home.write("content", to: "\(drive.path)/file")
      try await drive.output("put", "\(drive.path)/file", "disk:folder/file")
      let runs = try await JSONRuns(drive.home).adding("drive", "ls", "disk:/")
        .adding("drive", "info", "disk:folder/file", "disk:folder").adding("drive", "link", "disk:folder/file")
      await drive.end()
      return runs
    },
    "post": {
      let fixture = try await posting()
      return try await JSONRuns(fixture.home, keeping: fixture).adding("post", "ann", "Hello.")
        .adding("post", "ann", "Hello again.", "--dry-run")
    },
    "outbox": {
      let fixture = try await posting()
      #expect(try await fixture.post("ann", "Hello.").code == 0)
      return try await JSONRuns(fixture.home, keeping: fixture).adding("outbox")
    },
    "delete": { try await acted("delete") }, "repost": { try await acted("repost") },
    "like": { try await acted("like") }, "bookmark": { try await acted("bookmark") },
    "export": { try await authorised().adding("export", "demo") },
    "import": {
      let home = try await authorised().home
      try home.write(try await home.run("export", "demo").output, to: "\(home.path)/posts.jsonl")
      return try await JSONRuns(home).adding("import", "\(home.path)/posts.jsonl", "--account", "demo")
    },
    "purge": { try await authorised().adding("purge", "--before", "1h", "--dry-run") },
    "check": {
      let runs = try await authorised().adding("check").adding("check", "--archive")
      try runs.home.configure(#"{"accounts": {"demo": {"provider": "sandbox", "keep_post": 1}}}"#)
      return try await runs.adding("check", code: 78)
    },
    "keyring": { try await authorised().adding("keyring", "status") },
    "doctor": {
      let home = try TestInstallation()
      return try await JSONRuns(home).adding("doctor", variables: try DoctorCommandTests.programs(home))
    },
    "report": {
      let home = try TestInstallation()
      return try await JSONRuns(home).adding("report", "--print", variables: try DoctorCommandTests.programs(home))
    },
    "backup": {
      let runs = try await authorised()
      return try await runs.adding("backup", "\(runs.home.path)/backup")
    },
    "restore": {
      let home = try await authorised().home
      #expect(try await home.run("backup", "\(home.path)/backup").code == 0)
      let other = try TestInstallation()
      try File.remove(other.configuration)
      return try await JSONRuns(other).adding("restore", "\(home.path)/backup")
    },
    "demo": { try await JSONRuns(TestInstallation()).adding("demo", "--once", "--sandbox-port", "0") },
    "sign": {
      try await JSONRuns(TestInstallation()).adding(
        "sign", "GET", "https://example.org/a?b=c",
        variables: [
          "HOMELINE_CONSUMER_KEY": "ck", "HOMELINE_CONSUMER_SECRET": "cs", "HOMELINE_TOKEN": "at",
          "HOMELINE_TOKEN_SECRET": "ts",
        ])
    },
    "version": { try await JSONRuns(TestInstallation()).adding("version") },
  ]

  /// Returns an installation with an authorised account and posts.
  private static func authorised() async throws -> JSONRuns {
    let home = try TestInstallation()
    try await home.logIn()
    return JSONRuns(home)
  }

  private static func posting() async throws -> PostingHome {
    try await PostingHome(scopes: #"write:statuses", "write:favourites", "write:bookmarks"#)
  }

  /// Performs an action on a post of the account's user.
  private static func acted(_ action: String) async throws -> JSONRuns {
    let fixture = try await posting()
    #expect(try await fixture.post("ann", "Hello.").code == 0)
    let id = try #require(try fixture.home.published("ann")["posts"].items.first?["id"].text)
    return try await JSONRuns(fixture.home, keeping: fixture).adding(action, id)
  }
}
