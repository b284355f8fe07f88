import Glibc
import Platform
import TestSupport
import Testing

/// Makes file operations of programs fail below a folder, at the call that a test selects (`Tests/FaultInjection`).
final class FaultPlan: Sendable {
  /// Outside of the folder in which operations fail.
  private let place = TemporaryFolder()
  private let folder: String
  private var file: String { "\(place.path)/plan" }

  /// The counts of a plan.
  struct Outcome {
    /// The number of file-changing calls.
    let calls: Int
    /// The number of calls that failed or wrote less.
    let failed: Int
    /// The name and file of the first failed call.
    let name: String
    /// The number of `fsync(2)` and `fdatasync(2)` calls.
    let syncs: Int
    /// The number of processes that ended with exit(3), which runs the libraries' destructors.
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

  /// The environment variables for programs that obey the plan, and for their child processes.
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
