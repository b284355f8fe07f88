internal import Platform

/// The bytes that this process has passed to the kernel to be written (`wchar` in `proc_pid_io(5)`).
package enum WrittenBytes {
  package static func sinceStart() throws -> Int {
    let text = String(decoding: try File.read("/proc/self/io", limit: 4096), as: UTF8.self)
    for line in text.split(separator: "\n") where line.hasPrefix("wchar: ") {
      if let count = Int(line.dropFirst(7)) { return count }
    }
    throw BenchFailure.wrongResult("/proc/self/io contains no number of written bytes")
  }
}
