import Glibc
import TestSupport
import Testing

/// Programs killed with SIGKILL at random moments of all their work for an OAuth 1.0a account. See ``TokenFireTests``
/// for renewals and ``KilledServiceTests`` for the service.
///
/// `HOMELINE_KILL_ROUNDS` sets the number of kills (20); `HOMELINE_KILL_SEED` repeats a sequence, though not to the
/// microsecond.
@Suite("Programs killed at random moments", .timeLimit(.minutes(120))) struct KilledWorkTests {
  private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }

  @Test("After SIGKILL, files, pictures and the database are intact, and the next start fetches what is missing")
  func killed() async throws {
    let rounds = Int(Self.number("HOMELINE_KILL_ROUNDS") ?? 20)
    let seed = Self.number("HOMELINE_KILL_SEED") ?? .random(in: 0...999_999)
    var work = try await KilledWork(seed: seed)
    for number in 1...max(rounds, 1) { try await work.round(number) }
    print("kill stress, seed \(seed): \(work.tally)")
  }
}
