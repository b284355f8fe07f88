internal import Glibc
internal import Platform

/// The elapsed time, processor time and written bytes of an operation.
struct Elapsed {
  /// The elapsed time in milliseconds.
  var wall = 0.0
  /// The processor time of this process in milliseconds.
  var processor = 0.0
  /// The kilobytes written to files.
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

  /// Returns the bytes that this process has written with `write(2)` and similar calls (`proc_pid_io(5)`).
  private static func bytesWritten() throws -> Double {
    let lines = String(decoding: try File.read("/proc/self/io", limit: 4096), as: UTF8.self).split(separator: "\n")
    let line = lines.first { $0.hasPrefix("wchar: ") }
    guard let bytes = line.flatMap({ Double($0.dropFirst(7)) }) else {
      preconditionFailure("/proc/self/io has no wchar")
    }
    return bytes
  }
}
