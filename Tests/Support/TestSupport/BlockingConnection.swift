import CLinux
import Glibc

/// A test server's connection, with blocking reads and writes.
package enum BlockingConnection {
  /// Accepts the next connection (accept4(2)) with close-on-exec. Otherwise a started program could hold the connection
  /// open and keep it from ending.
  /// - Returns: the descriptor, or -1 with `errno`.
  package static func accepted(from listener: Int32) -> Int32 {
    let number = clinux_accept(listener)
    if number >= 0 { _ = fcntl(number, F_SETFL, 0) }
    return number
  }
}
