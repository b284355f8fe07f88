import Glibc
import Platform
import TestSupport
import Testing

/// A simulated disk failure: which call fails, and how.
struct DiskFault: CustomStringConvertible {
  enum Extent: CaseIterable {
    /// Only the selected call fails.
    case once
    /// The selected call and all later calls fail, as on a full disk or a disk that the kernel has made read-only.
    case lasting
    /// The selected call writes only half of its bytes, and the next call fails.
    case half
  }

  /// The number of the call, counted from 1.
  let number: Int
  let extent: Extent
  /// The `errno` value of the failing call. A negative number is a signal, which the program gets instead of the call.
  let code: Int32

  static let codes = [ENOSPC, EDQUOT, EIO, EROFS]
  static let killed = -SIGKILL

  /// Returns every kind of failure of one call.
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

  var description: String {
    "call \(number) \(extent): \(code < 0 ? "signal \(-code)" : String(cString: strerror(code)))"
  }
}

/// Makes programs' file operations below a folder fail at the call that a test selects (`Tests/Support/FaultInjection`).
final class DiskFaultPlan: Sendable {
  /// The plan's own file is outside that folder.
  private let planFolder = TemporaryFolder()
  private let folder: String
  private var file: String { "\(planFolder.path)/plan" }

  /// The counts that the programs recorded in the plan.
  struct Outcome {
    /// The number of file-changing calls.
    let calls: Int
    /// The number of calls that failed or wrote too few bytes.
    let failed: Int
    /// The function and file of the first failed call.
    let name: String
    /// The number of `fsync(2)` and `fdatasync(2)` calls.
    let syncs: Int
    /// The number of processes that called exit(3), which runs the libraries' destructors.
    let exits: Int
  }

  /// The layout of `fault_plan.h`: eight 64-bit numbers and a string.
  private static let size = 512
  private static let numbers = 8

  /// - Parameter folder: operations below this folder fail.
  init(below folder: String) throws {
    self.folder = folder
    try AtomicFile.write([UInt8](repeating: 0, count: Self.size), to: file, .replaced)
  }

  /// Whether the fault library can be preloaded. Under a sanitizer it cannot, because the sanitizer's library must be
  /// loaded first.
  static var isPossible: Bool { !Sanitizer.isOn }

  /// The environment variables that make programs and their child processes follow the plan.
  var variables: [String: String] {
    [
      "LD_PRELOAD": ProgramRun.product("libFaultInjection.so"), "HOMELINE_FAULT_FOLDER": folder,
      "HOMELINE_FAULT_PLAN": file,
    ]
  }

  /// Resets the counts and sets the failure, even for programs that are already running.
  func set(_ fault: DiskFault?) throws {
    var numbers = [Int64](repeating: 0, count: Self.numbers)
    if let fault {
      numbers.replaceSubrange(
        1..<5, with: [fault.number, fault.lastNumber, Int(fault.code), fault.extent == .half ? 1 : 0].map { Int64($0) })
    }
    var bytes: [UInt8] = numbers.flatMap { (number: Int64) in withUnsafeBytes(of: number) { Array($0) } }
    bytes += [UInt8](repeating: 0, count: Self.size - bytes.count)
    // Programs have mapped this file, so it must be overwritten in place.
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

/// The failures that a test run simulates, and the counts of their outcomes.
///
/// By default, only a few calls fail, in alternating ways. The seed selects the calls and the ways. With
/// `HOMELINE_FAULT_ROUNDS=each`, every call fails once; with `all`, every call fails in every way.
/// `HOMELINE_FAULT_SEED` repeats a run.
struct DiskFaultRounds {
  private static func text(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// The default number of rounds of each scenario, which take some seconds.
  private static let few = 12

  private let extent = text("HOMELINE_FAULT_ROUNDS")
  let seed = text("HOMELINE_FAULT_SEED").flatMap { Int($0) } ?? .random(in: 0...999_999)
  /// The number of program runs for each exit code.
  private var codes: [Int32: Int] = [:]
  private var missed = 0

  /// Returns the failures to simulate in a scenario that makes the given number of calls.
  func faults(calls: Int) -> [DiskFault] {
    if extent == "all" { return (1...max(calls, 1)).flatMap { kinds(at: $0) } }
    return numbers(calls: calls).enumerated().map { index, number in
      let kinds = kinds(at: number)
      return kinds[(index + seed) % kinds.count]
    }
  }

  /// Returns the calls at which to kill a program. Every other call writes half of its bytes before.
  func kills(calls: Int) -> [DiskFault] {
    numbers(calls: calls).enumerated().map { index, number in
      DiskFault(number: number, extent: (index + seed).isMultiple(of: 2) ? .once : .half, code: DiskFault.killed)
    }
  }

  private func numbers(calls: Int) -> [Int] {
    let step = extent == nil ? max(calls / Self.few, 1) : 1
    return Array(stride(from: 1 + seed % step, through: calls, by: step))
  }

  /// Returns the kinds of failures: each error code for a single call, a partial write, and a lasting failure.
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

  /// Returns a summary for the test's output.
  func tally(_ path: String, calls: Int) -> String {
    let ends = codes.sorted { $0.key < $1.key }.map { "\($0.value)x \($0.key)" }.joined(separator: ", ")
    return "disk faults, \(path), seed \(seed): \(calls) calls; exit codes \(ends); \(missed) not reached"
  }
}
