import Glibc
import Platform
import TestSupport
import Testing

/// Has programs lose the use of the disk below a folder, at the call that a test names (`Tests/FaultInjection`).
final class FaultPlan: Sendable {
  /// Not below the folder that is meant.
  private let place = TemporaryFolder()
  private let folder: String
  private var file: String { "\(place.path)/plan" }

  /// What has become of it.
  struct Outcome {
    /// How many calls there were that change files.
    let calls: Int
    /// How many of them failed or fell short.
    let failed: Int
    /// The first of those, and its file.
    let name: String
    /// How many of the calls brought something to the disk (`fsync(2)`, `fdatasync(2)`).
    let syncs: Int
    /// How many processes have ended by way of exit(3), where the libraries take leave.
    let exits: Int
  }

  /// The layout of `fault_plan.h`: eight numbers of 64 bits, and a text.
  private static let size = 512
  private static let numbers = 8

  /// - Parameter folder: whose files are meant.
  init(below folder: String) throws {
    self.folder = folder
    try AtomicFile.write([UInt8](repeating: 0, count: Self.size), to: file, .replaced)
  }

  /// Whether it can be done here: the sanitizers' own libraries have to be loaded first.
  static var isPossible: Bool { !Sanitizer.isOn }

  /// What a program needs to obey the plan, and those that it starts.
  var variables: [String: String] {
    [
      "LD_PRELOAD": ProgramRun.product("libFaultInjection.so"), "HOMELINE_FAULT_FOLDER": folder,
      "HOMELINE_FAULT_PLAN": file,
    ]
  }

  /// Counts from the beginning, and has this go wrong; also for programs that run already.
  func set(_ fault: DiskFault?) throws {
    var numbers = [Int64](repeating: 0, count: Self.numbers)
    if let fault {
      numbers.replaceSubrange(
        1..<5, with: [fault.number, fault.lastNumber, Int(fault.code), fault.extent == .half ? 1 : 0].map { Int64($0) })
    }
    var bytes: [UInt8] = numbers.flatMap { (number: Int64) in withUnsafeBytes(of: number) { Array($0) } }
    bytes += [UInt8](repeating: 0, count: Self.size - bytes.count)
    // Into the same file, which programs have mapped.
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
