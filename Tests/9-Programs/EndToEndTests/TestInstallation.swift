import Glibc
import Platform
import TestSupport
import Testing

/// A temporary home folder with a configuration, for the built programs. The folder is deleted when this object is
/// released.
///
/// Unless a test or fixture configures others, there is one sandbox account, `demo`. Without an argument, paths are
/// those of `demo`.
struct TestInstallation: Sendable {
  private let folder = TemporaryFolder()
  private let variables: [String: String]

  /// - Parameters:
  ///   - callback: the members of `callback` in the configuration. By default, any free port is used.
  ///   - account: additional members of the account. By default, the account keeps one page of posts, which is enough
  ///     for most tests.
  ///   - variables: environment variables for every program that this object starts.
  init(callback: String = #""port": 0"#, account: String = #""keep_posts": 20"#, variables: [String: String] = [:])
    throws
  {
    self.variables = variables
    let more = account.isEmpty ? "" : ", \(account)"
    try configure(
      #"{ "callback": { \#(callback) }, "sandbox": { "port": 0 }, "accounts": { "demo": { "provider": "sandbox"\#(more) } } }"#
    )
  }

  /// Replaces the configuration.
  func configure(_ json: String) throws { try write(json, to: configuration) }

  // MARK: Files

  var path: String { folder.path }
  var configuration: String { "\(path)/config/homeline/config.json" }
  var lock: String { "\(path)/state/homeline/lock" }

  func stateFolder(of account: String) -> String { "\(path)/state/homeline/\(account)" }
  func token(of account: String) -> String { "\(stateFolder(of: account))/token.json" }
  func database(of account: String) -> String { "\(path)/data/homeline/\(account)/timeline.db" }
  func cacheFolder(of account: String) -> String { "\(path)/cache/homeline/\(account)" }
  func timeline(of account: String) -> String { "\(cacheFolder(of: account))/home_timeline.json" }
  func viewFolder(_ view: String) -> String { "\(path)/cache/homeline/_views/\(view)" }

  var stateFolder: String { stateFolder(of: "demo") }
  var token: String { token(of: "demo") }
  var database: String { database(of: "demo") }
  var cacheFolder: String { cacheFolder(of: "demo") }
  var timeline: String { timeline(of: "demo") }

  /// Returns an account's published file.
  func published(_ account: String = "demo") throws -> JSONValue { try JSONValue(file: timeline(of: account)) }

  /// Returns the ids of the published posts, newest first.
  func publishedIDs(_ account: String = "demo") throws -> [String] {
    try published(account)["posts"].items.compactMap { $0["id"].text }
  }

  func write(_ text: String, to path: String) throws {
    try Folder.create(try #require(Folder.parent(of: path)))
    try AtomicFile.write(Array(text.utf8), to: path, .replaced)
  }

  func read(_ path: String) throws -> String { String(decoding: try File.read(path, limit: 64 << 20), as: UTF8.self) }

  func names(in folder: String) throws -> [String] { try Folder.names(in: folder) }

  /// Returns all files below a folder; none if it does not exist.
  func files(below folder: String) throws -> [String] {
    guard File.exists(folder) else { return [] }
    return try Folder.names(in: folder).flatMap { name -> [String] in
      let path = "\(folder)/\(name)"
      var facts = stat()
      guard lstat(path, &facts) == 0 else { return [] }
      return facts.st_mode & S_IFMT == S_IFDIR ? try files(below: path) : [path]
    }
  }

  /// Returns the temporary files in all of homeline's folders.
  func temporaryFiles() throws -> [String] {
    try ["state", "cache", "data"].flatMap { folder in
      try files(below: "\(path)/\(folder)").filter { $0.contains(".new-") || $0.contains(".reserved-") }
    }
  }

  /// Queries the account's database with `sqlite3`.
  @discardableResult
  func sql(_ statement: String) async throws -> String {
    let outcome = try await ProgramRun.run("sqlite3", [database, statement], environment: environment())
    try #require(outcome.code == 0, "\(outcome.error)")
    return outcome.output
  }

  /// Returns the output of a `jq -r` filter on the published file.
  func jq(_ filter: String) async throws -> String {
    let outcome = try await ProgramRun.run("jq", ["-r", filter, timeline], environment: environment())
    try #require(outcome.code == 0, "\(outcome.error)")
    return String(outcome.output.dropLast())
  }

  // MARK: Programs

  func environment(_ more: [String: String] = [:]) -> [String: String] {
    ProgramRun.environment(home: path, variables.merging(more) { $1 })
  }

  /// Starts the built `homeline`.
  func start(
    _ arguments: [String], _ more: [String: String] = [:], input: ProgramRun.Input = .nothing,
    timeout: Duration = .seconds(240)
  ) throws -> ProgramRun {
    try ProgramRun(
      ProgramRun.product("homeline"), arguments, environment: environment(more), input: input, timeout: timeout)
  }

  /// Runs the built `homeline` until it exits.
  @discardableResult
  func run(_ arguments: String..., variables: [String: String] = [:]) async throws -> ProgramRun.Outcome {
    try await start(arguments, variables).end()
  }

  /// Runs a shell script with `homeline` as `$0`.
  func shell(_ script: String, _ more: [String: String] = [:]) async throws -> ProgramRun.Outcome {
    try await ProgramRun.run(
      "bash", ["-c", script, ProgramRun.product("homeline")], environment: environment(more))
  }

  /// Logs in, with the test as the browser. The test fails if the login fails.
  @discardableResult
  func logIn(_ arguments: String..., variables: [String: String] = [:]) async throws -> ProgramRun.Outcome {
    let login = try await PendingLogin(self, arguments, variables)
    let page = try await login.authorise()
    let outcome = await login.program.end()
    try #require(outcome.code == 0, "\(outcome.error) \(page.text)")
    return outcome
  }
}

extension TestInstallation {
  /// Whether this machine has the address ::1.
  static var hasIPv6: Bool {
    guard let table = try? File.read("/proc/net/if_inet6", limit: 65536) else { return false }
    return String(decoding: table, as: UTF8.self).contains("00000000000000000000000000000001")
  }
}
