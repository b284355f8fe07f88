internal import CLinux
internal import Glibc

/// Whoever reads what is written to standard output, when that is a pipe or a socket.
package enum OutputReader {
  /// Waits until nobody reads any more, also while nothing is written (`poll(2)`): for ever where output goes to a file or a terminal.
  /// To be called on a thread of its own.
  package static func waitUntilGone() {
    var raw = stat()
    guard unsafe fstat(1, &raw) == 0, raw.st_mode & S_IFMT == S_IFIFO || raw.st_mode & S_IFMT == S_IFSOCK else {
      while true { pause() }
    }
    // No event is asked for: what is told in any case is that the other end was closed.
    var output = pollfd(fd: 1, events: 0, revents: 0)
    while unsafe poll(&output, 1, -1) < 1 {}
  }

  /// Ends this process as a write to nobody would (SIGPIPE); returns where that signal is ignored.
  package static func endForWantOfOne() { raise(SIGPIPE) }
}
