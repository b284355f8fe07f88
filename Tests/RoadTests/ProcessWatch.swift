import Platform
import Testing

/// Resource usage of a process (proc(5)).
struct ProcessWatch: Sendable {
  let process: Int32

  /// The number of open descriptors.
  var descriptors: Int { (try? Folder.names(in: "/proc/\(process)/fd").count) ?? 0 }

  /// The peak memory usage, in KiB (`VmHWM`).
  func peakMemory() throws -> Int {
    let text = String(decoding: try File.read("/proc/\(process)/status", limit: 65536), as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(line.split { !$0.isNumber }.first.flatMap { Int($0) })
  }

  /// Whether all threads have stopped after SIGSTOP; the kernel stops each when it next enters the kernel.
  func isStopped() throws -> Bool {
    try Folder.names(in: "/proc/\(process)/task").allSatisfy { thread in
      // A thread that has ended counts as stopped.
      guard let status = try? File.read("/proc/\(process)/task/\(thread)/status", limit: 65536) else { return true }
      return String(decoding: status, as: UTF8.self).contains("\nState:\tT")
    }
  }
}
