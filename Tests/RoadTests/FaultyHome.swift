import Platform
import Sandbox
import TestSupport
import Testing

/// A service with one account that is logged in. Its timeline comes from a server whose responses the test can break.
final class FaultyHome: Sendable {
  let served: ServedHome
  let timeline: FaultyTimeline
  let daemon: RunningDaemon

  /// - Parameter variables: environment variables of the service.
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
    // Only the test starts refreshes.
    let account = served.account(#""refresh_seconds": 86400"#, elsewhere: ["home_timeline": address])
    try served.configure([("demo", account)])
  }

  /// Points the running service to another timeline address.
  func move(to address: String) async throws {
    try Self.configure(served, address)
    let answer = try await daemon.ask("reload")
    try #require(answer.contains(#""event":"end","exit":0"#), "\(answer)")
  }

  /// The result of a requested refresh.
  struct Refreshed {
    /// The service's response.
    let said: String
    /// The number of timeline requests meanwhile.
    let asked: Int
    /// The published file afterwards.
    let file: JSONValue
  }

  /// Refreshes and reads the result at once, because the service retries 15 s after a failure.
  func refresh() async throws -> Refreshed {
    try await PlainBrowser.onThreadOfItsOwn { [self] in
      _ = timeline.takeAsked()
      let said = String(decoding: try daemon.command("refresh", "{}").receiveToEnd(), as: UTF8.self)
      return Refreshed(said: said, asked: timeline.takeAsked(), file: try published())
    }
  }

  func published() throws -> JSONValue { try JSONValue(file: served.timeline(of: "demo")) }

  /// The ids of the published posts, newest first.
  func ids() throws -> [String] { try published()["posts"].items.compactMap { $0["id"].text } }

  /// Refreshes with a valid response and one new post, and checks that the fault left no trace.
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
