internal import Glibc
internal import Platform

/// What something took: time on the clock and of the processor, and what it wrote.
struct Elapsed {
  /// In milliseconds.
  var wall = 0.0
  /// Of this process, in milliseconds.
  var processor = 0.0
  /// In kilobytes, to files.
  var written = 0.0

  static func of(_ body: () throws -> Void) throws -> Elapsed {
    let begin = try now()
    try body()
    return try now() - begin
  }

  static func + (left: Elapsed, right: Elapsed) -> Elapsed {
    Elapsed(
      wall: left.wall + right.wall, processor: left.processor + right.processor, written: left.written + right.written)
  }

  static func - (left: Elapsed, right: Elapsed) -> Elapsed {
    Elapsed(
      wall: left.wall - right.wall, processor: left.processor - right.processor, written: left.written - right.written)
  }

  private static func now() throws -> Elapsed {
    Elapsed(
      wall: milliseconds(CLOCK_MONOTONIC), processor: milliseconds(CLOCK_PROCESS_CPUTIME_ID),
      written: try bytesWritten() / 1000)
  }

  private static func milliseconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  /// What this process has given to `write(2)` and its like (`proc_pid_io(5)`).
  private static func bytesWritten() throws -> Double {
    let lines = String(decoding: try File.read("/proc/self/io", limit: 4096), as: UTF8.self).split(separator: "\n")
    let line = lines.first { $0.hasPrefix("wchar: ") }
    guard let bytes = line.flatMap({ Double($0.dropFirst(7)) }) else {
      preconditionFailure("no wchar in /proc/self/io")
    }
    return bytes
  }
}
