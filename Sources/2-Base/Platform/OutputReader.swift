internal import CLinux
internal import Glibc

/// The process that reads standard output, if that is a pipe or a socket.
package enum OutputReader {
  /// Waits until the reader has closed the pipe, even while nothing is written (`poll(2)`). Waits forever if the output is a file or a
  /// terminal. Call it on a separate thread.
  package static func waitUntilGone() {
    var raw = stat()
    guard unsafe fstat(1, &raw) == 0, raw.st_mode & S_IFMT == S_IFIFO || raw.st_mode & S_IFMT == S_IFSOCK else {
      while true { pause() }
    }
    // No events are requested: the kernel always reports when the other end is closed.
    var output = pollfd(fd: 1, events: 0, revents: 0)
    while unsafe poll(&output, 1, -1) < 1 {}
  }

  /// Ends this process with SIGPIPE, as a write to a pipe without a reader would; returns if that signal is ignored.
  package static func endForWantOfOne() { raise(SIGPIPE) }
}
