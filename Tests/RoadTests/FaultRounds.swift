import Glibc
import TestSupport

/// Selects the faults of a run, and counts the outcomes.
///
/// By default every few calls fail, with alternating kinds of faults, both depending on the seed.
/// `HOMELINE_FAULT_ROUNDS=each` selects each call once, `all` each call with every kind; `HOMELINE_FAULT_SEED`
/// repeats a run.
struct FaultRounds {
  private static func text(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// The default number of rounds per scenario, which takes some seconds.
  private static let few = 12

  private let extent = text("HOMELINE_FAULT_ROUNDS")
  let seed = text("HOMELINE_FAULT_SEED").flatMap { Int($0) } ?? .random(in: 0...999_999)
  /// The number of program runs by exit code.
  private var codes: [Int32: Int] = [:]
  private var missed = 0

  /// The faults for a scenario with this number of calls.
  func faults(calls: Int) -> [DiskFault] {
    if extent == "all" { return (1...max(calls, 1)).flatMap { kinds(at: $0) } }
    let step = extent == "each" ? 1 : max(calls / Self.few, 1)
    return stride(from: 1 + seed % step, through: calls, by: step).map { number in
      let kinds = kinds(at: number)
      return kinds[(number / step + seed) % kinds.count]
    }
  }

  /// Each code once, a partial write, and a lasting failure.
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

  /// A summary for the test's output.
  func tally(_ path: String, calls: Int) -> String {
    let ends = codes.sorted { $0.key < $1.key }.map { "\($0.value)x \($0.key)" }.joined(separator: ", ")
    return "disk faults, \(path), seed \(seed): \(calls) calls; exit codes \(ends); \(missed) not reached"
  }
}
