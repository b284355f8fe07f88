import Platform
import Sandbox
import TestSupport
import Testing

/// A home with a service and one account that is logged in, whose timeline comes from a server that the test has go wrong.
final class FaultyHome: Sendable {
  let served: ServedHome
  let timeline: FaultyTimeline
  let daemon: RunningDaemon

  /// - Parameters:
  ///   - variables: of the service.
  ///   - program: starts the service; by itself otherwise.
  init(_ variables: [String: String] = [:]) async throws {
    timeline = try FaultyTimeline()
    served = try ServedHome()
    try Self.configure(served, timeline.address)
    daemon = try await RunningDaemon(served.home, [], variables)
    try await served.logIn(by: daemon)
    try #require(try ids() == timeline.ids)
  }

  deinit { daemon.program.signal(9) }

  private static func configure(_ served: ServedHome, _ address: String) throws {
    // Nothing is refreshed that the test does not ask for.
    let account = served.account(#""refresh_seconds": 86400"#, elsewhere: ["home_timeline": address])
    try served.configure([("demo", account)])
  }

  /// Has the running service ask for the timeline elsewhere.
  func move(to address: String) async throws {
    try Self.configure(served, address)
    let answer = try await daemon.ask("reload")
    try #require(answer.contains(#""event":"end","exit":0"#), "\(answer)")
  }

  /// What came of a refresh that was asked for.
  struct Refreshed {
    /// What the service told of it.
    let said: String
    /// How often the timeline was asked for meanwhile.
    let asked: Int
    /// What was published then.
    let file: JSONValue
  }

  /// Asks for a refresh, and looks at what has come of it before anything else does: 15 s after a failure the service asks by itself.
  func refresh() async throws -> Refreshed {
    try await PlainBrowser.onThreadOfItsOwn { [self] in
      _ = timeline.takeAsked()
      let said = String(decoding: try daemon.command("refresh", "{}").receiveToEnd(), as: UTF8.self)
      return Refreshed(said: said, asked: timeline.takeAsked(), file: try published())
    }
  }

  func published() throws -> JSONValue { try JSONValue(file: served.timeline(of: "demo")) }

  /// The published posts' ids, newest first.
  func ids() throws -> [String] { try published()["posts"].items.compactMap { $0["id"].text } }

  /// Has the provider answer well, with a new post, and checks that nothing is left of what was.
  @discardableResult
  func recover(from fault: String) async throws -> Refreshed {
    timeline.answer(nil)
    timeline.publishOne()
    let refreshed = try await refresh()
    let file = refreshed.file
    #expect(refreshed.said.contains(#""exit":0"#), "after \(fault): \(refreshed.said)")
    #expect(file["error"] == .null, "after \(fault)")
    #expect(file["stale_since"] == .null, "after \(fault)")
    #expect(try Set(timeline.ids).isSubset(of: ids()), "after \(fault): \(timeline.lastQuery)")
    #expect(try ids().starts(with: timeline.ids.prefix(1)), "after \(fault)")
    return refreshed
  }
}
