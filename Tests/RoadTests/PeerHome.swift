import Platform
import TestSupport

/// An installation whose account `bird` belongs to an OAuth 1.0a server.
final class PeerHome: Sendable {
  let folder = TemporaryFolder()
  /// Runs as long as this fixture exists.
  private let server: PeerServer

  var timelineFile: String { "\(folder.path)/cache/homeline/bird/home_timeline.json" }
  var tokenFile: String { "\(folder.path)/state/homeline/bird/token.json" }

  /// Writes the configuration.
  /// - Parameters:
  ///   - provider: the provider's name in the configuration.
  ///   - endpoints: replace the server's own.
  ///   - further: additional members of the account, as JSON with a leading comma.
  init(
    _ server: PeerServer, provider: String = "twitter", endpoints: [String: String]? = nil, secret: String? = nil,
    further: String = ""
  ) throws {
    self.server = server
    let addresses = (endpoints ?? server.endpoints).sorted { $0.key < $1.key }
      .map { #""\#($0.key)": "\#($0.value)""# }.joined(separator: ", ")
    let configuration = """
      { "callback": { "port": 0 },
        "accounts": { "bird": {
          "provider": "\(provider)",
          "consumer_key": "\(server.consumerKey)", "consumer_secret": "\(secret ?? server.consumerSecret)",
          "endpoints": { \(addresses) }\(further) } } }
      """
    let place = "\(folder.path)/config/homeline"
    try Folder.create(place)
    try AtomicFile.write(Array(configuration.utf8), to: "\(place)/config.json", .replaced)
  }

  /// Starts `homeline`.
  func start(_ arguments: [String], input: ProgramRun.Input = .nothing) throws -> ProgramRun {
    try ProgramRun(
      ProgramRun.product("homeline"), arguments, environment: ProgramRun.environment(home: folder.path), input: input)
  }

  /// Runs `homeline` to its end.
  func homeline(_ arguments: String...) async throws -> ProgramRun.Outcome { try await start(arguments).end() }

  /// The outcome of a login, and the browser's visits.
  struct Login: Sendable {
    let outcome: ProgramRun.Outcome
    /// Empty if no address was printed.
    let visits: [PlainBrowser.Visit]
    /// The last page that the user sees.
    var page: String { visits.last?.text ?? "" }
  }

  /// Runs `homeline login` with the test as the browser, which opens the printed address and follows the redirects.
  func login(
    browse: @Sendable (String) async throws -> [PlainBrowser.Visit] = { try await PlainBrowser.walk(from: $0) }
  ) async throws -> Login {
    let run = try start(["login", "bird", "--no-browser", "--timeout", "200"])
    let address = await run.line(containing: "http://")
    let visits = if let address { try await browse(address) } else { [PlainBrowser.Visit]() }
    return Login(outcome: await run.end(), visits: visits)
  }

  func timeline() throws -> JSONValue { try JSONValue(file: timelineFile) }

  /// The ids of the published posts; "none" if one is not a string.
  func publishedIDs() throws -> [String] { try timeline()["posts"].items.map { $0["id"].text ?? "none" } }
}

/// The posts of the peers' timeline: Tests/Peers/timeline.py.
enum PeerTimeline {
  /// The ids of the given number of posts, newest first. They are above 2^53 and no multiples of powers of two, so
  /// that a reader that treats them as numbers gets most of them wrong.
  static func ids(_ count: Int) -> [String] {
    (0..<count).reversed().map { String(1_850_000_000_025_165_849 + $0 * 4_194_307) }
  }
}
