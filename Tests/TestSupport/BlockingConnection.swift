import CLinux
import Glibc

/// A connection of a test's server, on which reading and writing wait.
package enum BlockingConnection {
  /// Takes the next one (accept4(2)), closed in programs that are started meanwhile: held open by one of them, it would not end
  /// when it is closed here.
  /// - Returns: its descriptor, or -1 with `errno`.
  package static func accepted(from listener: Int32) -> Int32 {
    let number = clinux_accept(listener)
    if number >= 0 { _ = fcntl(number, F_SETFL, 0) }
    return number
  }
}
