import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing
import Time

/// A service with one logged-in account. The test can break the responses of the account's timeline server.
final class FaultyTimelineFixture: Sendable {
  private let twitter: TwitterFixture
  let timeline: FaultyTimeline
  let daemon: RunningDaemon

  var home: TestInstallation { twitter.home }

  /// - Parameter variables: environment variables for the service.
  init(_ variables: [String: String] = [:]) async throws {
    timeline = try FaultyTimeline()
    twitter = try TwitterFixture()
    try Self.configure(twitter, timeline.address)
    daemon = try await RunningDaemon(twitter.home, [], variables)
    try await daemon.logIn()
    try #require(try home.publishedIDs() == timeline.ids)
  }

  deinit { daemon.program.signal(9) }

  private static func configure(_ twitter: TwitterFixture, _ address: String) throws {
    // The account is refreshed only on request.
    let account = twitter.account(#""refresh_seconds": 86400"#, elsewhere: ["home_timeline": address])
    try twitter.configure([("demo", account)])
  }

  /// Points the running service at a different timeline address.
  func move(to address: String) async throws {
    try Self.configure(twitter, address)
    try await daemon.reload()
  }

  /// The outcome of a requested refresh.
  struct Refreshed {
    /// The service's response to the command.
    let events: String
    /// The number of timeline requests during the refresh.
    let requests: Int
    /// The content of the published file after the refresh.
    let file: JSONValue
  }

  /// Refreshes and reads the outcome immediately, because the service retries 15 s after a failure.
  func refresh() async throws -> Refreshed {
    try await OwnThread.run { [self] in
      _ = timeline.takeRequestCount()
      let events = String(decoding: try daemon.command("refresh", "{}").receiveToEnd(), as: UTF8.self)
      return Refreshed(events: events, requests: timeline.takeRequestCount(), file: try home.published())
    }
  }

  /// Refreshes with a valid response and one new post, and checks that the earlier fault has left no trace.
  @discardableResult
  func recover(from fault: String) async throws -> Refreshed {
    timeline.respond(nil)
    timeline.publishOne()
    let refreshed = try await refresh()
    let file = refreshed.file
    #expect(refreshed.events.contains(#""exit":0"#), "after \(fault): \(refreshed.events)")
    #expect(file["error"] == .null, "after \(fault)")
    #expect(file["stale_since"] == .null, "after \(fault)")
    #expect(try Set(timeline.ids).isSubset(of: home.publishedIDs()), "after \(fault): \(timeline.lastQuery)")
    #expect(try home.publishedIDs().starts(with: timeline.ids.prefix(1)), "after \(fault)")
    return refreshed
  }
}

/// A simulated home timeline of numbered posts (Twitter v1.1 API). A test can break its responses.
final class FaultyTimeline: Sendable {
  private struct State {
    var posts = 5
    var fault: [RawServer.Step]?
    var requests = 0
    var lastQuery: [String: String] = [:]
  }

  private let state = Locked(State())
  let server: RawServer
  var address: String { "\(server.base)/home_timeline.json" }

  init() throws {
    server = try RawServer { [state] request in
      state.withLock { state in
        state.requests += 1
        state.lastQuery = request.query
        return state.fault ?? [.send(RawHTTP.response(Self.page(of: state.posts, for: request.query)))]
      }
    }
  }

  /// Makes every request get this response; nil restores valid responses.
  func respond(_ fault: [RawServer.Step]?) { state.withLock { $0.fault = fault } }

  func publishOne() { state.withLock { $0.posts += 1 } }

  /// Returns the number of requests since this function was last called.
  func takeRequestCount() -> Int {
    state.withLock { state in
      defer { state.requests = 0 }
      return state.requests
    }
  }

  var lastQuery: [String: String] { state.withLock { $0.lastQuery } }

  /// The ids of all posts, newest first.
  var ids: [String] { state.withLock { $0.posts }.posts.map { Self.id($0) } }

  // MARK: Responses

  static func id(_ number: Int) -> String { String(1_850_000_000_025_165_849 + number * 4_194_307) }

  /// Returns the default publication time of a post.
  static func time(_ number: Int) -> Timestamp { Timestamp(seconds: 1_795_161_600 + Int64(number) * 61) }

  /// Returns a post in JSON.
  /// - Parameters:
  ///   - id: the id as JSON.
  ///   - textID: the id as text.
  ///   - text: the text as JSON without quotation marks.
  ///   - members: additional members, which replace earlier members of the same name.
  static func post(
    _ number: Int, id: String? = nil, textID: String? = nil, at time: Timestamp? = nil, text: String? = nil,
    members: String = ""
  ) -> String {
    let id = id ?? self.id(number)
    return """
      {"id":\(id),"id_str":"\(textID ?? id)","created_at":"\((time ?? self.time(number)).twitterDate)",\
      "full_text":"\(text ?? "post \(number)")","truncated":false,\
      "user":{"id":12,"id_str":"12","screen_name":"jack","name":"jack"}\(members.isEmpty ? "" : ",\(members)")}
      """
  }

  private static func page(of count: Int, for query: [String: String]) -> String {
    let wanted = count.posts.filter { number in
      let id = 1_850_000_000_025_165_849 + number * 4_194_307
      // An id that does not fit into Int counts as greater than all other ids.
      return id > query["since_id"].map { Int($0) ?? .max } ?? 0 && id <= query["max_id"].flatMap { Int($0) } ?? .max
    }
    let most = query["count"].flatMap { Int($0) } ?? 20
    return "[" + wanted.prefix(most).map { post($0) }.joined(separator: ",") + "]"
  }
}

extension Int {
  /// The numbers from 0 up to, but not including, the given number, in descending order.
  fileprivate var posts: ReversedCollection<Range<Int>> { (0..<self).reversed() }
}
