import Glibc
import TestSupport
import Testing

/// Programs ended by SIGKILL at random moments of everything they do for an account of OAuth 1.0a; for renewals see ``TokenFireTests``, for the
/// service ``KilledServiceTests``.
///
/// `HOMELINE_KILL_ROUNDS` is how many are killed (20); `HOMELINE_KILL_SEED` begins the same row again, though not at the same microseconds.
@Suite("Programs killed at random moments", .timeLimit(.minutes(120))) struct KilledWorkTests {
  private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }

  @Test("After SIGKILL, files, pictures and the database are intact, and the next start fetches what is missing")
  func killed() async throws {
    let rounds = Int(Self.number("HOMELINE_KILL_ROUNDS") ?? 20)
    let seed = Self.number("HOMELINE_KILL_SEED") ?? .random(in: 0...999_999)
    var work = try await KilledWork(seed: seed)
    for number in 1...max(rounds, 1) { try await work.round(number) }
    print("killed work, seed \(seed): \(work.tally)")
  }
}
