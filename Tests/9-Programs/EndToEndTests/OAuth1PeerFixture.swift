import Platform
import TestSupport
import Testing

/// An installation whose account `bird` belongs to an OAuth 1.0a server.
final class OAuth1PeerFixture: Sendable {
  let home: TestInstallation
  /// The server, which runs as long as this fixture exists.
  private let server: OAuth1PeerServer

  var timelineFile: String { home.timeline(of: "bird") }
  var tokenFile: String { home.token(of: "bird") }

  /// Writes the configuration.
  /// - Parameters:
  ///   - provider: the provider's name in the configuration.
  ///   - endpoints: URLs that replace the server's own endpoints.
  ///   - further: additional members of the account, as JSON with a leading comma.
  init(
    _ server: OAuth1PeerServer, provider: String = "twitter", endpoints: [String: String]? = nil, secret: String? = nil,
    further: String = ""
  ) throws {
    self.server = server
    let addresses = (endpoints ?? server.endpoints).sorted { $0.key < $1.key }
      .map { #""\#($0.key)": "\#($0.value)""# }.joined(separator: ", ")
    home = try TestInstallation()
    try home.configure(
      """
      { "callback": { "port": 0 },
        "accounts": { "bird": {
          "provider": "\(provider)",
          "consumer_key": "\(server.consumerKey)", "consumer_secret": "\(secret ?? server.consumerSecret)",
          "endpoints": { \(addresses) }\(further) } } }
      """)
  }

  /// The outcome of a login, and the browser's visits.
  struct Login: Sendable {
    let outcome: ProgramRun.Outcome
    /// The authorisation address; empty if the program printed none.
    let visits: [ScriptedBrowser.Visit]
    /// The page that the user sees at the end.
    var page: String { visits.last?.text ?? "" }
  }

  /// Runs `homeline login` with the test as the browser, which opens the printed address and follows the redirects.
  func login(
    browse: @Sendable (String) async throws -> [ScriptedBrowser.Visit] = {
      try await ScriptedBrowser.visitAll(from: $0)
    }
  ) async throws -> Login {
    let run = try home.start(["login", "bird", "--no-browser", "--timeout", "200"])
    let address = await run.line(containing: "http://")
    let visits = if let address { try await browse(address) } else { [ScriptedBrowser.Visit]() }
    return Login(outcome: await run.end(), visits: visits)
  }

  /// Returns the ids of the published posts, with "none" in place of an id that is not a string.
  func publishedIDs() throws -> [String] { try home.published("bird")["posts"].items.map { $0["id"].text ?? "none" } }
}

/// The posts in the peers' timeline (Tests/Peers/timeline.py).
enum PeerTimeline {
  /// Returns the ids of the given number of posts, newest first. They are above 2^53 and not multiples of powers of
  /// two, so a reader that treats them as numbers changes most of them.
  static func ids(_ count: Int) -> [String] {
    (0..<count).reversed().map { String(1_850_000_000_025_165_849 + $0 * 4_194_307) }
  }
}

/// An OAuth 1.0a provider built on a third-party library. It runs in a separate process, which ends with this object.
final class OAuth1PeerServer: Sendable {
  /// The library that verifies requests.
  enum Kind: String, Sendable, CaseIterable {
    case oauthlib = "oauth1_server.py"
    case authlib = "oauth1_server_authlib.py"
  }

  /// A request that the server has received.
  struct Seen: Sendable {
    let method: String
    let path: String
    let status: Int
    /// Whether the request's signature was valid; `nil` if it was not signed.
    let verified: Bool?
    /// Why the request was refused.
    let reason: String?
    let nonce: String?
    /// The names of the request's query parameters.
    let parameters: [String]

    /// The last part of the request's path, such as `request_token`.
    var endpoint: String { path.split(separator: "/").last.map { String($0.prefix { $0 != "." }) } ?? "" }
  }

  /// The names of the endpoints in the configuration.
  static let endpointNames = ["request_token", "authorize", "access_token", "verify_credentials", "home_timeline"]

  let kind: Kind
  let url: String
  let consumerKey: String
  let consumerSecret: String
  /// The complete URL of each endpoint, by its name in the configuration.
  let endpoints: [String: String]
  private let run: ProgramRun
  private let folder: TemporaryFolder
  private var logFile: String { "\(folder.path)/log" }

  /// Starts the server and waits until it listens.
  init(_ kind: Kind, _ options: [String] = []) async throws {
    self.kind = kind
    folder = TemporaryFolder()
    run = try Peers.start(kind.rawValue, ["--log", "\(folder.path)/log", "--lifetime", "600"] + options)
    guard let line = await run.line(containing: "\"ready\"") else {
      throw TestClient.Failure(description: "\(kind.rawValue) did not start: \(run.written(on: .error))")
    }
    let ready = try JSONValue(Array(line.utf8))
    url = try #require(ready["url"].text)
    consumerKey = try #require(ready["consumer_key"].text)
    consumerSecret = try #require(ready["consumer_secret"].text)
    endpoints = try Dictionary(
      uniqueKeysWithValues: Self.endpointNames.map { (name) -> (String, String) in
        let address: String = try #require(ready[name].text)
        return (name, address)
      })
  }

  deinit { run.endInput() }

  /// Stops the server and waits until it has exited.
  func stop() async {
    run.endInput()
    _ = await run.end()
  }

  /// Returns the requests so far. Each request is logged before its response.
  func seen() throws -> [Seen] {
    guard File.exists(logFile) else { return [] }
    return try File.read(logFile, limit: 1 << 24).split(separator: UInt8(ascii: "\n")).map { line in
      let entry = try JSONValue(Array(line))
      let verified: Bool? = if case .boolean(let verified) = entry["verified"] { verified } else { nil }
      return Seen(
        method: try #require(entry["method"].text), path: try #require(entry["path"].text),
        status: try #require(entry["status"].integer), verified: verified, reason: entry["reason"].text,
        nonce: entry["nonce"].text, parameters: entry["parameters"].items.compactMap(\.text))
    }
  }

  /// Returns the requests to one endpoint, by its name in the configuration.
  func seen(_ endpoint: String) throws -> [Seen] { try seen().filter { $0.endpoint == endpoint } }
}
