import Platform
import Testing

/// What a program takes of the machine, as the kernel counts it (proc(5)).
struct ProcessWatch: Sendable {
  let process: Int32

  /// How many descriptors it has open.
  var descriptors: Int { (try? Folder.names(in: "/proc/\(process)/fd").count) ?? 0 }

  /// The most memory that it has ever had at once, in KiB (`VmHWM`).
  func peakMemory() throws -> Int {
    let text = String(decoding: try File.read("/proc/\(process)/status", limit: 65536), as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(line.split { !$0.isNumber }.first.flatMap { Int($0) })
  }

  /// Whether all its threads stand still after SIGSTOP: the kernel lets each of them go on until it comes by.
  func isStopped() throws -> Bool {
    try Folder.names(in: "/proc/\(process)/task").allSatisfy { thread in
      // One that has ended meanwhile does nothing either.
      guard let status = try? File.read("/proc/\(process)/task/\(thread)/status", limit: 65536) else { return true }
      return String(decoding: status, as: UTF8.self).contains("\nState:\tT")
    }
  }
}
