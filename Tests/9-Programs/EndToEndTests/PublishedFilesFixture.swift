import Glibc
import Platform
import TestSupport

/// A folder with published files, which the test writes in place of the service.
struct PublishedFilesFixture {
  let folder = TemporaryFolder()

  var path: String { folder.path }
  var cache: String { "\(path)/cache/homeline" }

  func file(of account: String) -> String { "\(cache)/\(account)/home_timeline.json" }

  /// Returns a post on one line, as in `jsonl`.
  static func post(_ id: Int, text: String? = nil, more: String = "") -> String {
    let second = String(1_000 + id % 60).dropFirst(2)
    let text = text ?? "post \(id)"
    let minute = String(1_000 + id / 60 % 60).dropFirst(2)
    return #"{"id":"\#(id)","created_at":"2020-01-01T00:\#(minute):\#(second)Z","#
      + #""author":{"id":"1","screen_name":"s","name":"Sean"},"text":"\#(text)"\#(more)}"#
  }

  /// Replaces the published file of an account, or of a view named by its path below the cache folder.
  func publish(_ account: String, _ posts: [String], head: String = #""fresh_until":"2999-01-01T00:00:00Z""#) throws {
    let text =
      #"{"schema":2,"account":"\#(account)","provider":"sandbox","refreshed_at":"2020-01-01T00:00:00Z",\#(head),"#
      + "\"posts\":[\n\(posts.joined(separator: ",\n"))\n]}\n"
    try write(text, to: account)
  }

  /// Replaces the published file of one of an account's other timelines.
  func publish(_ account: String, stem: String, ids: some Sequence<Int>) throws {
    let posts = ids.map { Self.post($0) }.joined(separator: ",\n")
    let text =
      #"{"schema":2,"account":"\#(account)","provider":"sandbox","refreshed_at":null,"posts":[\#n\#(posts)\#n]}\#n"#
    try Folder.create("\(cache)/\(account)")
    try AtomicFile.write(Array(text.utf8), to: "\(cache)/\(account)/\(stem).json", .replaced)
  }

  func publish(_ account: String, ids: some Sequence<Int>, head: String = #""fresh_until":null"#) throws {
    try publish(account, ids.map { Self.post($0) }, head: head)
  }

  func write(_ text: String, to account: String) throws {
    try Folder.create("\(cache)/\(account)")
    try AtomicFile.write(Array(text.utf8), to: file(of: account), .replaced)
  }

  /// Writes the configuration.
  func configure(_ text: String) throws {
    try Folder.create("\(path)/config/homeline")
    try AtomicFile.write(Array(text.utf8), to: "\(path)/config/homeline/config.json", .replaced)
  }

  func homeline(_ arguments: String...) async throws -> ProgramRun.Outcome {
    try await ProgramRun.run(ProgramRun.product("homeline"), arguments, environment: environment())
  }

  /// Declares accounts, each enabled or not.
  func configure(_ accounts: [(String, isEnabled: Bool)]) throws {
    let list = accounts.map { name, isEnabled in
      #""\#(name)": { "provider": "sandbox", "enabled": \#(isEnabled) }"#
    }.joined(separator: ", ")
    let folder = "\(path)/config/homeline"
    try Folder.create(folder)
    try AtomicFile.write(Array("{ \"accounts\": { \(list) } }".utf8), to: "\(folder)/config.json", .replaced)
  }

  func environment(_ more: [String: String] = [:]) -> [String: String] {
    ProgramRun.environment(home: path, more)
  }

  func start(_ arguments: String..., variables: [String: String] = [:]) throws -> ProgramRun {
    try ProgramRun(ProgramRun.product("homeline"), ["show"] + arguments, environment: environment(variables))
  }

  func show(_ arguments: String..., variables: [String: String] = [:]) async throws -> ProgramRun.Outcome {
    try await ProgramRun.run(
      ProgramRun.product("homeline"), ["show"] + arguments, environment: environment(variables))
  }

  /// Runs `homeline show` on a terminal (`script(1)`) without a pager, and removes the carriage returns that the terminal adds.
  func showOnTerminal(_ arguments: String, _ variables: [String: String]) async throws -> String {
    let outcome = try await ProgramRun.run(
      "script", ["-qec", "\(ProgramRun.product("homeline")) show \(arguments)", "/dev/null"],
      environment: environment(variables.merging(["PAGER": "cat"]) { $1 }))
    return String(outcome.output.unicodeScalars.filter { $0 != "\r" })
  }
}
