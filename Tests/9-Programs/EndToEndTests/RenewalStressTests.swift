import Glibc
import Platform
import TestSupport
import Testing

/// Renewals with lost responses and killed processes, with a server built on Authlib that tracks every refresh token.
///
/// `HOMELINE_RENEWAL_ROUNDS` sets the number of renewals (300 by default). `HOMELINE_RENEWAL_SEED` repeats a sequence,
/// though not its exact timing.
@Suite(.serialized, .needsPeers, .timeLimit(.minutes(30))) struct RenewalStressTests {
  private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }

  private let rounds = Int(number("HOMELINE_RENEWAL_ROUNDS") ?? 300)
  private let seed = number("HOMELINE_RENEWAL_SEED") ?? .random(in: 0...999_999)

  /// Times a few undisturbed renewals to know when to kill, and then renews the token under faults.
  private func run(_ stress: inout RenewalStress, rounds: Int) async throws {
    let clock = ContinuousClock()
    var longest = Duration.zero
    for _ in 0..<3 {
      let begun = clock.now
      try await stress.renewUndisturbed()
      longest = max(longest, clock.now - begun)
    }
    for number in 1...max(rounds, 1) {
      try await stress.renew(number, longest: UInt32(longest / .microseconds(1)))
    }
    try await stress.renewUndisturbed()
    print("renewal stress, seed \(seed), \(stress.isForgiving ? "forgiving" : "strict") server: \(stress.tally)")
  }

  @Test("With a grace period, kills and lost responses never end an authorisation")
  func forgiving() async throws {
    var stress = try await RenewalStress(isForgiving: true, lossPercent: 35, seed: seed)
    try await run(&stress, rounds: rounds * 2 / 3)
    for name in ["families_killed", "reuse_detected", "refreshes_refused"] {
      #expect(try await stress.fixture.server.count(name) == 0, "\(name), seed \(seed)")
    }
    #expect(stress.tally.endedByLoss + stress.tally.endedByKill + stress.tally.killedWhileWriting == 0)
  }

  @Test("A service killed during a renewal repeats it at its next start, within the server's grace period")
  func killedService() async throws {
    // After any other request that was left unfinished, a service waits for 15 s.
    let fixture = try await OAuth2PeerFixture.withEndedToken(["--grace", "14", "--fault-seconds", "5"])
    try await fixture.server.control(#"{"fault": "late", "fault_at": "refresh", "fault_next": 1}"#)
    let killed = try await RunningDaemon(fixture.home, ["-v"])
    // The server has renewed the token when it counts the request, and sends it seconds later.
    #expect(try await eventually { try await fixture.server.count("refreshes_asked") == 1 })
    killed.program.signal(SIGKILL)
    _ = await killed.program.end()
    #expect(File.exists(fixture.renewalFile), "\(killed.log)")
    let next = try await RunningDaemon(fixture.home, ["-v"])
    #expect(try await eventually { try await fixture.server.count("grace_used") == 1 }, "\(next.log)")
    #expect(try await fixture.server.count("families_killed") == 0)
    #expect(await next.stop().outcome.code == 0)
    #expect(try await fixture.status()["error"] == .null)
  }

  @Test("Without a grace period, an authorisation ends only if a response never reached the disk")
  func strict() async throws {
    var stress = try await RenewalStress(isForgiving: false, lossPercent: 15, seed: seed &+ 1)
    try await run(&stress, rounds: rounds / 3)
    // A checked renewal counts the end of a token family. If the process was killed before it could report the end, the
    // next renewal counts it.
    let ends = stress.tally.endedByLoss + stress.tally.endedByKill
    let killed = try await stress.fixture.server.count("families_killed")
    #expect(killed == ends, "seed \(seed)")
    if rounds >= 300 { #expect(stress.tally.killed > 0 && stress.tally.lostResponses > 0 && stress.tally.renewed > 0) }
  }
}
