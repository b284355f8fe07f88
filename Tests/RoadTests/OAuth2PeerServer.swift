import Platform
import TestSupport
import Testing

/// An OAuth 2.0 authorisation server on Authlib, running beside a test. It ends with this object.
///
/// What it can be told is listed in `Tests/Peers/README.md`.
final class OAuth2PeerServer: Sendable {
  /// One request that it has seen.
  struct Seen: Sendable {
    let method: String
    let path: String
    /// 499 where the connection was cut on purpose.
    let status: Int
    /// What was done to the answer on purpose.
    let fault: String?
    /// The `grant_type` of a token request.
    let grant: String?
  }

  private static let program = "authlib_oauth2_server.py"
  private static let pages = ["authorize", "token", "revoke", "device_authorization", "device", "me"]

  let url: String
  /// What its metadata and its redirects say that it is, unless told otherwise.
  let issuer: String
  let clientID: String
  let clientSecret: String
  /// The whole addresses: `authorize`, `token`, `revoke`, `device_authorization`, `device`, `me`.
  let endpoints: [String: String]
  private let run: ProgramRun
  private let folder: TemporaryFolder
  /// Grows by a line for each request, before that is answered.
  var logFile: String { "\(folder.path)/log" }

  /// Starts it and waits until it listens.
  /// - Parameter options: switches, such as `["--rotation", "none"]`.
  init(_ options: [String] = []) async throws {
    folder = TemporaryFolder()
    run = try Peers.start(Self.program, ["--log", "\(folder.path)/log", "--lifetime", "600"] + options)
    guard let line = await run.line(containing: "\"ready\"") else {
      throw TestClient.Failure(description: "\(Self.program) did not start: \(run.written(on: .error))")
    }
    let ready = try JSONValue(Array(line.utf8))
    url = try #require(ready["url"].text)
    issuer = try #require(ready["issuer"].text)
    clientID = try #require(ready["client_id"].text)
    clientSecret = try #require(ready["client_secret"].text)
    endpoints = try Dictionary(
      uniqueKeysWithValues: Self.pages.map { (page) -> (String, String) in
        let address: String = try #require(ready[page].text)
        return (page, address)
      })
  }

  deinit { run.endInput() }

  /// Ends it now, and waits for that.
  func stop() async {
    run.endInput()
    _ = await run.end()
  }

  /// Sets switches while it runs.
  /// - Parameter orders: a JSON object, such as `{"fault": "half", "fault_next": 1}`.
  /// - Throws: with its words when it does not understand them.
  func control(_ orders: String) async throws {
    let answer = try await send("POST", orders)
    guard answer.status == 200 else { throw TestClient.Failure(description: answer.text) }
  }

  /// How often something happened, by the name of its count.
  func count(_ name: String) async throws -> Int { try await counts()[name].integer ?? 0 }

  /// All counts; what has not happened is not among them.
  func counts() async throws -> JSONValue { try JSONValue(await send("GET", "").body)["counts"] }

  /// How a switch stands now.
  func switched(_ name: String) async throws -> JSONValue {
    try JSONValue(await send("GET", "").body)["switches"][name]
  }

  /// What it has seen so far, without `control` and `count`. Each request is written down before it is answered.
  func seen() throws -> [Seen] {
    guard File.exists(logFile) else { return [] }
    return try File.read(logFile, limit: 1 << 24).split(separator: UInt8(ascii: "\n")).map { line in
      let entry = try JSONValue(Array(line))
      return Seen(
        method: try #require(entry["method"].text), path: try #require(entry["path"].text),
        status: try #require(entry["status"].integer), fault: entry["fault"].text, grant: entry["grant"].text)
    }
  }

  private func send(_ method: String, _ body: String) async throws -> TestClient.Answer {
    let address = try PlainAddress(url + "/__control")
    return try await PlainBrowser.onThreadOfItsOwn {
      try PlainBrowser().send(method, address, fields: ["Content-Type: application/json"], body: body)
    }
  }
}
