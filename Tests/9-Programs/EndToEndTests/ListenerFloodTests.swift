import Platform
import TestSupport
import Testing

/// Programs that try to exhaust the login listener.
@Suite("A flooded login listener", .serialized) struct ListenerFloodTests {
  private static let modes = [
    ["-H", "-i", "1", "-x", "24"],  // The header never ends, and one field is sent each second.
    ["-B", "-i", "1", "-s", "8192"],  // The body never ends.
    ["-R", "-b", "3000"],  // The request has thousands of ranges.
    ["-X", "-k", "5", "-n", "1", "-w", "8", "-y", "16", "-z", "2"],  // The client barely reads the responses.
  ]

  @Test("400 slow clients do not delay a login", .needs("slowhttptest"), arguments: modes)
  func slow(mode: [String]) async throws {
    let abused = try await LoginUnderAttack()
    let watch = abused.watch
    let before = watch.descriptors
    let slow = try ProgramRun(
      // Time enough to open all connections on a busy machine. An attack that is refused immediately does not need all of it.
      "slowhttptest",
      mode + ["-c", "400", "-r", "200", "-l", mode[0] == "-H" ? "20" : "5", "-p", "3", "-u", "\(abused.stray)"],
      environment: ProgramRun.environment(home: "/nonexistent"), timeout: .seconds(60))
    // An attack that is refused immediately never holds many connections, and finishes early.
    let most = Locked(0)
    let isUp = try await eventually {
      let more = watch.descriptors - before
      most.withLock { $0 = max($0, more) }
      return more > 300 || !slow.isRunning
    }
    #expect(isUp)
    // Each connection lasts 5 s, so the number of open ones depends on how fast the tool opens them.
    if mode[0] == "-H" { #expect(most.withLock { $0 } > 30, "\(slow.written(on: .output).suffix(2000))") }
    try await abused.finish()
    slow.signal(9)
    _ = await slow.end()
  }

  @Test("10,000 connections in waves of 1,000 do not block the callback", .needsPeers)
  func burst() async throws {
    let abused = try await LoginUnderAttack()
    let burst = try Peers.start("burst.py", ["\(abused.port)", "10000", "1000"])
    #expect(await burst.line(containing: "wave 8") != nil, "\(burst.written(on: .error))")
    // The remaining connections arrive at the same time as the user's callback.
    try await abused.finish()
    let outcome = await burst.end()
    #expect(outcome.code == 0, "\(outcome.error)")
  }
}
