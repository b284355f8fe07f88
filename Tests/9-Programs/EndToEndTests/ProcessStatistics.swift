import Glibc
import Platform
import Testing

/// The resources that a process uses (proc(5)).
struct ProcessStatistics: Sendable {
  let process: Int32

  /// The number of open descriptors.
  var descriptors: Int { (try? Folder.names(in: "/proc/\(process)/fd").count) ?? 0 }

  var threads: Int { (try? Folder.names(in: "/proc/\(process)/task").count) ?? 0 }

  /// Returns the peak resident memory, in KiB.
  func peakMemory() throws -> Int { try kibibytes("VmHWM:") }

  /// Returns the resident memory, in KiB.
  func residentMemory() throws -> Int { try kibibytes("VmRSS:") }

  private func kibibytes(_ name: String) throws -> Int {
    let text = String(decoding: try File.read("/proc/\(process)/status", limit: 65536), as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name) })
    return try #require(line.split { !$0.isNumber }.first.flatMap { Int($0) })
  }

  /// Returns the CPU time in user and system mode together.
  func processorTime() throws -> Duration {
    let text = String(decoding: try File.read("/proc/\(process)/stat", limit: 4096), as: UTF8.self)
    // The name, in parentheses, may contain any characters. Of the fields after it, utime and stime are the 12th and
    // 13th.
    let fields = text[try #require(text.lastIndex(of: ")"))...].split(separator: " ")
    let ticks = try #require(Int(fields[12])) + #require(Int(fields[13]))
    return .milliseconds(1000 * ticks / sysconf(Int32(_SC_CLK_TCK)))
  }

  /// Returns the number of running child processes.
  func children() throws -> Int {
    try Folder.names(in: "/proc").count { name in
      guard name.first?.isNumber == true, let text = try? File.read("/proc/\(name)/stat", limit: 4096) else {
        return false
      }
      // After the name come the state and the parent's process id.
      let fields = String(decoding: text, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
      return fields.count > 1 && fields[1] == "\(process)" && fields[0] != "Z"
    }
  }

  /// Returns whether all threads have stopped after SIGSTOP. A thread stops when it next enters the kernel.
  func isStopped() throws -> Bool {
    try Folder.names(in: "/proc/\(process)/task").allSatisfy { thread in
      // A thread that has ended counts as stopped.
      guard let status = try? File.read("/proc/\(process)/task/\(thread)/status", limit: 65536) else { return true }
      return String(decoding: status, as: UTF8.self).contains("\nState:\tT")
    }
  }
}
