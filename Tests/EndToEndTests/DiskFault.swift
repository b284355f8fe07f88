import Glibc
import Platform
import TestSupport
import Testing

/// A simulated disk failure: which file-changing call fails, and how.
struct DiskFault: CustomStringConvertible {
  enum Extent: CaseIterable {
    /// Only that call fails.
    case once
    /// That call and all later ones fail, like a full disk or one that the kernel has made read-only.
    case lasting
    /// That call writes half of its bytes, and the next one fails.
    case half
  }

  /// The number of the call, from 1.
  let number: Int
  let extent: Extent
  /// The `errno` of the failing call.
  let code: Int32

  static let codes = [ENOSPC, EDQUOT, EIO, EROFS]

  /// Every kind of failure at one call.
  static func all(at number: Int) -> [DiskFault] {
    Extent.allCases.flatMap { extent in codes.map { DiskFault(number: number, extent: extent, code: $0) } }
  }

  var lastNumber: Int {
    switch extent {
    case .once: number
    case .half: number + 1
    case .lasting: .max
    }
  }

  var description: String { "call \(number) \(extent): \(String(cString: strerror(code)))" }
}

/// Makes file operations of programs fail below a folder, at the call that a test selects (`Tests/FaultInjection`).
final class DiskFaultPlan: Sendable {
  /// Outside the folder in which operations fail.
  private let planFolder = TemporaryFolder()
  private let folder: String
  private var file: String { "\(planFolder.path)/plan" }

  /// The counts of a plan.
  struct Outcome {
    /// The number of file-changing calls.
    let calls: Int
    /// The number of calls that failed or wrote fewer bytes.
    let failed: Int
    /// The name and file of the first failed call.
    let name: String
    /// The number of `fsync(2)` and `fdatasync(2)` calls.
    let syncs: Int
    /// The number of processes that exited through exit(3), which runs the libraries' destructors.
    let exits: Int
  }

  /// The layout of `fault_plan.h`: eight 64-bit numbers and a text.
  private static let size = 512
  private static let numbers = 8

  /// - Parameter folder: the folder below which operations fail.
  init(below folder: String) throws {
    self.folder = folder
    try AtomicFile.write([UInt8](repeating: 0, count: Self.size), to: file, .replaced)
  }

  /// Whether the library can be used: the sanitizers' libraries have to be loaded first.
  static var isPossible: Bool { !Sanitizer.isOn }

  /// The environment variables for programs that follow the plan, and for their child processes.
  var variables: [String: String] {
    [
      "LD_PRELOAD": ProgramRun.product("libFaultInjection.so"), "HOMELINE_FAULT_FOLDER": folder,
      "HOMELINE_FAULT_PLAN": file,
    ]
  }

  /// Resets the counts and sets the fault, also for running programs.
  func set(_ fault: DiskFault?) throws {
    var numbers = [Int64](repeating: 0, count: Self.numbers)
    if let fault {
      numbers.replaceSubrange(
        1..<5, with: [fault.number, fault.lastNumber, Int(fault.code), fault.extent == .half ? 1 : 0].map { Int64($0) })
    }
    var bytes: [UInt8] = numbers.flatMap { (number: Int64) in withUnsafeBytes(of: number) { Array($0) } }
    bytes += [UInt8](repeating: 0, count: Self.size - bytes.count)
    // Writes into the same file, because programs have mapped it.
    let descriptor = open(file, O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    try #require(pwrite(descriptor, bytes, bytes.count, 0) == bytes.count)
  }

  var outcome: Outcome {
    get throws {
      let bytes = try File.read(file, limit: Self.size)
      let numbers = bytes.withUnsafeBytes { bytes in
        (0..<Self.numbers).map { Int(bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Int64.self)) }
      }
      let name = bytes[(8 * Self.numbers)...].prefix { $0 != 0 }
      return Outcome(
        calls: numbers[0], failed: numbers[5], name: String(decoding: name, as: UTF8.self), syncs: numbers[6],
        exits: numbers[7])
    }
  }
}

/// Selects the faults of a run, and counts the outcomes.
///
/// By default, one in every few calls fails, with alternating kinds of faults; both depend on the seed.
/// `HOMELINE_FAULT_ROUNDS=each` selects each call once, `all` each call with every kind; `HOMELINE_FAULT_SEED` repeats a run.
struct DiskFaultRounds {
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

  /// Each error code once, a partial write, and a lasting failure.
  private func kinds(at number: Int) -> [DiskFault] {
    let codes = DiskFault.codes
    return codes.map { DiskFault(number: number, extent: .once, code: $0) } + [
      DiskFault(number: number, extent: .half, code: ENOSPC),
      DiskFault(number: number, extent: .lasting, code: codes[number % codes.count]),
    ]
  }

  mutating func note(_ outcome: ProgramRun.Outcome, _ faults: DiskFaultPlan.Outcome) {
    if faults.failed == 0 { missed += 1 } else { codes[outcome.code, default: 0] += 1 }
  }

  /// A summary for the test's output.
  func tally(_ path: String, calls: Int) -> String {
    let ends = codes.sorted { $0.key < $1.key }.map { "\($0.value)x \($0.key)" }.joined(separator: ", ")
    return "disk faults, \(path), seed \(seed): \(calls) calls; exit codes \(ends); \(missed) not reached"
  }
}
