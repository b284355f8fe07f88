internal import Glibc

/// Pauses a thread.
enum Pause {
  static func sleep(_ duration: Duration) {
    let (seconds, fraction) = duration.components
    var rest = timespec(tv_sec: Int(seconds), tv_nsec: Int(fraction / 1_000_000_000))
    var left = timespec()
    while unsafe nanosleep(&rest, &left) == -1, errno == EINTR { rest = left }
  }
}
