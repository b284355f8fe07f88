import Glibc
import TestSupport

/// Which faults a run goes through, and what came of them.
///
/// Every few calls one, with one kind of fault after the other, both from where the seed says. `HOMELINE_FAULT_ROUNDS=each` takes each call
/// once, `all` each with every kind; `HOMELINE_FAULT_SEED` begins the same row again.
struct FaultRounds {
  private static func text(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// How many rounds there are of a path, where not more are asked for: some seconds.
  private static let few = 12

  private let extent = text("HOMELINE_FAULT_ROUNDS")
  let seed = text("HOMELINE_FAULT_SEED").flatMap { Int($0) } ?? .random(in: 0...999_999)
  /// How often the programs ended with each exit code.
  private var codes: [Int32: Int] = [:]
  private var missed = 0

  /// The faults for a path of so many calls.
  func faults(calls: Int) -> [DiskFault] {
    if extent == "all" { return (1...max(calls, 1)).flatMap { kinds(at: $0) } }
    let step = extent == "each" ? 1 : max(calls / Self.few, 1)
    return stride(from: 1 + seed % step, through: calls, by: step).map { number in
      let kinds = kinds(at: number)
      return kinds[(number / step + seed) % kinds.count]
    }
  }

  /// Each code once, a write that falls short, and a disk that stays as it is then.
  private func kinds(at number: Int) -> [DiskFault] {
    let codes = DiskFault.codes
    return codes.map { DiskFault(number: number, extent: .once, code: $0) } + [
      DiskFault(number: number, extent: .half, code: ENOSPC),
      DiskFault(number: number, extent: .lasting, code: codes[number % codes.count]),
    ]
  }

  mutating func note(_ outcome: ProgramRun.Outcome, _ what: FaultPlan.Outcome) {
    if what.failed == 0 { missed += 1 } else { codes[outcome.code, default: 0] += 1 }
  }

  /// For whoever reads the test's output.
  func tally(_ path: String, calls: Int) -> String {
    let ends = codes.sorted { $0.key < $1.key }.map { "\($0.value)x \($0.key)" }.joined(separator: ", ")
    return "disk faults, \(path), seed \(seed): \(calls) calls; exit codes \(ends); \(missed) not reached"
  }
}
