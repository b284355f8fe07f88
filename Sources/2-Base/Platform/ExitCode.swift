internal import Glibc

/// The outcome of a command (mostly sysexits.h). Scripts rely on these numbers.
package enum ExitCode: Int32, Sendable, Hashable, CaseIterable {
  case done = 0
  /// A check found a problem. Not in sysexits.h.
  case faultsFound = 1
  /// The command was used incorrectly.
  case usage = 64
  /// A file has invalid content.
  case badData = 65
  /// The provider or the network is not available.
  case unavailable = 69
  /// A bug, or an incomplete installation.
  case software = 70
  case cannotCreate = 73
  /// An input or output error, such as a full disk.
  case inputOutput = 74
  /// Try again later: a limit has been reached, or another process owns the state.
  case temporary = 75
  /// The account is not authorised, or a login was denied, timed out or authorised a different user.
  case notAuthorised = 77
  case configuration = 78
  /// Ctrl-C ended the command: the shells' number for SIGINT. Not in sysexits.h.
  case interrupted = 130

  /// Returns the worse of two outcomes: `done` is the best, and permanent failures are worse than temporary ones.
  package func worse(_ other: ExitCode) -> ExitCode { severity >= other.severity ? self : other }

  private var severity: Int {
    switch self {
    case .done: 0
    case .faultsFound: 1
    case .temporary: 2
    case .unavailable: 3
    case .notAuthorised: 4
    case .badData: 5
    case .cannotCreate: 6
    case .inputOutput: 7
    case .usage: 8
    case .configuration: 9
    case .software: 10
    case .interrupted: 11
    }
  }

  /// Exits this process immediately (`_exit(2)`), without waiting for its other threads.
  ///
  /// exit(3) would first run the destructors of loaded libraries while those threads are still using them: OpenSSL frees objects that a
  /// closing connection still uses. All output is written with write(2), so none is left in a buffer.
  ///
  /// A process that ends because of Ctrl-C ends by that signal, so that a shell script ends too.
  package func endProcess() -> Never {
    if self == .interrupted { ProcessEnd.bySignal(SIGINT) }
    _exit(rawValue)
  }
}
