import Platform
import TestSupport
import Testing

/// An OAuth 2.0 authorisation server built on Authlib, in a process of its own. It ends with this object.
///
/// `Tests/Peers/README.md` lists its switches.
final class OAuth2PeerServer: Sendable {
  /// One request to the server.
  struct Seen: Sendable {
    let method: String
    let path: String
    /// 499 if the connection was cut on purpose.
    let status: Int
    /// The fault that was applied to the response.
    let fault: String?
    /// The `grant_type` of a token request.
    let grant: String?
  }

  private static let program = "authlib_oauth2_server.py"
  private static let pages = ["authorize", "token", "revoke", "device_authorization", "device", "me"]

  let url: String
  /// The issuer in its metadata and redirects, unless a switch changes it.
  let issuer: String
  let clientID: String
  let clientSecret: String
  /// The complete URLs: `authorize`, `token`, `revoke`, `device_authorization`, `device`, `me`.
  let endpoints: [String: String]
  private let run: ProgramRun
  private let folder: TemporaryFolder
  /// One line per request, written before the response.
  var logFile: String { "\(folder.path)/log" }

  /// Starts the server and waits until it listens.
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

  /// Stops the server and waits for its end.
  func stop() async {
    run.endInput()
    _ = await run.end()
  }

  /// Sets switches while the server runs.
  /// - Parameter orders: a JSON object, such as `{"fault": "half", "fault_next": 1}`.
  /// - Throws: the server's message if it does not understand them.
  func control(_ orders: String) async throws {
    let answer = try await send("POST", orders)
    guard answer.status == 200 else { throw TestClient.Failure(description: answer.text) }
  }

  /// The count of an event, by its name.
  func count(_ name: String) async throws -> Int { try await counts()[name].integer ?? 0 }

  /// All counts that are not zero.
  func counts() async throws -> JSONValue { try JSONValue(await send("GET", "").body)["counts"] }

  /// The current value of a switch.
  func switched(_ name: String) async throws -> JSONValue {
    try JSONValue(await send("GET", "").body)["switches"][name]
  }

  /// The requests so far, without `control` and `count`. Each is logged before the response.
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
