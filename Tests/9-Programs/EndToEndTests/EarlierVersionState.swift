import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing
import Time

/// A state archive from an earlier version (Tests/Upgrade), unpacked into an installation. Its providers are simulated,
/// on other ports.
final class EarlierVersionState: Sendable {
  /// The accounts with a timeline.
  static let timelines = ["demo", "blue", "fedi", "bird", "wei"]

  let home: TestInstallation
  private let blue: SandboxServer<TwitterSandbox>
  private let others: [String: RawServer]
  private let log: Locked<[String]>

  /// - Parameter name: the archive's file name without `.tar.xz`.
  init(_ name: String) async throws {
    let home = try TestInstallation()
    self.home = home
    let log = Locked<[String]>([])
    self.log = log
    let archive = Repository.path("Tests/Upgrade/\(name).tar.xz")
    try await Self.bash(
      #"rm -rf "$0"/config; tar --extract --xz --preserve-permissions --file "$1" --directory "$0""#, home.path, archive
    )
    // The budget is raised, because the archive's costs count if the test runs on the day when the archive was made.
    let settings = try home.read(home.configuration)
    // Port 0 avoids a conflict with the sandbox port of other tests.
    try home.configure(
      settings.replacing(#""posts_per_day": 60"#, with: #""posts_per_day": 1000"#)
        .replacing(#""media":"#, with: #""sandbox": { "port": 0 }, "media":"#))
    // The tokens that the earlier version received, without those issued later.
    func token(_ account: String) throws -> JSONValue {
      try JSONValue(file: "\(home.path)/state/homeline/\(account)/token.json")
    }
    let tokens = try Dictionary(uniqueKeysWithValues: ["fedi", "bird", "wei", "key"].map { ($0, try token($0)) })
    var policy = TwitterFixture.unlimited
    policy.timeline = .forTests(at: WallClock.system.now)
    blue = try SandboxServer(stateFolder: "\(home.path)/provider", policy: policy) { record in
      let status = record.status.map { "\($0)".prefix(3) } ?? "no answer"
      log.withLock { $0.append("blue \(record.path.prefix { $0 != "?" }) \(status)") }
    }
    others = try Dictionary(
      uniqueKeysWithValues: ["fedi", "bird", "wei"].map { account in
        let provider = SimulatedProvider(account, tokens)
        return (
          account,
          try RawServer { request in
            let (status, body) = provider.respond(to: request)
            log.withLock { $0.append("\(account) \(request.path) \(status)") }
            return [
              .text(
                "HTTP/1.1 \(status) -\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"),
              .text(body),
            ]
          }
        )
      })
    try await moveProviders()
  }

  deinit {
    blue.stop()
    for server in others.values { server.stop() }
  }

  /// The account, path and status of each request to the providers so far.
  var requests: [String] { log.withLock { $0 } }

  /// Returns an account's posts by id, as the earlier version exported them.
  func expected(_ account: String) throws -> [String: JSONValue] {
    try Self.posts(try home.read("\(home.path)/expected/\(account).jsonl"))
  }

  static func posts(_ lines: String) throws -> [String: JSONValue] {
    let posts = try lines.split(separator: "\n").map { try JSONValue(Array($0.utf8)) }
    return Dictionary(uniqueKeysWithValues: try posts.map { (try #require($0["id"].text), $0) })
  }

  func token(_ account: String) throws -> JSONValue {
    try JSONValue(file: "\(home.path)/state/homeline/\(account)/token.json")
  }

  /// Returns the files that were set aside or left unfinished.
  func leftAside() throws -> [String] {
    try ["state", "data", "cache"].flatMap { try home.files(below: "\(home.path)/\($0)") }
      .filter { path in [".corrupt-", ".was-", ".new-", ".reserved-"].contains { path.contains($0) } }
  }

  /// Replaces the original ports in all files. All ports have five digits, so the databases keep their layout.
  private func moveProviders() async throws {
    let former = try JSONValue(file: "\(home.path)/expected/ports.json")
    let ports = others.mapValues(\.port).merging(["blue": blue.port]) { $1 }
    var script = ""
    for (account, port) in ports {
      let old = try #require(former[account].integer)
      try #require(old > 9_999 && port > 9_999)
      script += """
        find "$0"/config "$0"/state "$0"/data "$0"/cache "$0"/expected -type f -print0 |
          LC_ALL=C xargs -0 sed -i 's/127\\.0\\.0\\.1:\(old)/127.0.0.1:\(port)/g'
        if [ -d "$0/state/homeline/_servers/127.0.0.1_\(old)" ]; then
          mv "$0/state/homeline/_servers/127.0.0.1_\(old)" "$0/state/homeline/_servers/127.0.0.1_\(port)"
        fi

        """
    }
    try await Self.bash(script, home.path)
  }

  private static func bash(_ script: String, _ arguments: String...) async throws {
    let outcome = try await ProgramRun.run(
      "bash", ["-ec", script] + arguments, environment: ["PATH": "/usr/bin:/bin"])
    try #require(outcome.code == 0, "\(outcome.error)")
  }
}

/// A simulated OAuth 2.0 provider that accepts and renews only the tokens in the archive, and has one new post.
private struct SimulatedProvider: Sendable {
  private let account: String
  private let tokens: [String: JSONValue]
  private let hasAnswered = Locked(false)

  init(_ account: String, _ tokens: [String: JSONValue]) {
    self.account = account
    self.tokens = tokens
  }

  func respond(to request: RawServer.Request) -> (status: Int, body: String) {
    switch request.path {
    case "/oauth/token", "/2/oauth2/token": renewal(request)
    case "/api/v1/timelines/home": isAuthorised(request) ? (200, page(fedi, "[", "]")) : (401, "{}")
    case "/2/statuses/home_timeline.json":
      isAuthorised(request) ? (200, page(wei, #"{"statuses":["#, #"],"total_number":1}"#)) : (401, "{}")
    case let path where path.hasSuffix("/timelines/reverse_chronological"):
      isAuthorised(request) ? (200, page(bird, #"{"data":["#, #"],"meta":{"result_count":1}}"#)) : (401, "{}")
    default: (404, "{}")
    }
  }

  /// Renews only the refresh tokens in the archive.
  private func renewal(_ request: RawServer.Request) -> (Int, String) {
    let body = String(decoding: request.body, as: UTF8.self)
    let owner = ["fedi", "bird", "key"].first {
      body.contains("refresh_token=\(tokens[$0]?["refresh_token"].text ?? "-")")
    }
    guard let owner else { return (400, #"{"error":"invalid_grant"}"#) }
    return (
      200,
      #"{"access_token":"renewed-\#(owner)","token_type":"Bearer","expires_in":7200,"refresh_token":"next-\#(owner)"}"#
    )
  }

  private func isAuthorised(_ request: RawServer.Request) -> Bool {
    let kept = tokens[account]?["access_token"].text ?? "-"
    return [kept, "renewed-\(account)"].contains { request.head.contains($0) }
  }

  /// Returns a timeline page. Only the first request gets the new post.
  private func page(_ post: String, _ start: String, _ end: String) -> String {
    let isFirst = hasAnswered.withLock { hasAnswered in
      defer { hasAnswered = true }
      return !hasAnswered
    }
    return isFirst ? start + post + end : start + end
  }

  private let fedi =
    #"{"id":"999999999999999999","created_at":"2026-11-23T00:30:00.000Z","content":"<p>new here</p>","#
    + #""account":{"id":"7","acct":"new","username":"new","display_name":"New"},"media_attachments":[]}"#
  private let bird =
    #"{"id":"9000000000000000001","text":"new here","created_at":"2026-11-23T00:30:00.000Z","author_id":"7"}"#
  private let wei =
    #"{"created_at":"Mon Nov 23 08:30:00 +0800 2026","id":9000000000000001,"idstr":"9000000000000001","#
    + #""text":"new here","user":{"id":7,"idstr":"7","screen_name":"new","name":"New"}}"#
}
