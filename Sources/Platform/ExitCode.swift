internal import Glibc

/// How a command ended (sysexits.h). Scripts rely on these numbers.
package enum ExitCode: Int32, Sendable, Hashable, CaseIterable {
  case done = 0
  /// The command was used wrongly.
  case usage = 64
  /// A file has bad content.
  case badData = 65
  /// The provider or the network is not available.
  case unavailable = 69
  /// A bug, or an installation that is not whole.
  case software = 70
  case cannotCreate = 73
  /// An input or output error, such as a full disk.
  case inputOutput = 74
  /// Try again later: a limit, or another owner of the state.
  case temporary = 75
  /// Not authorised, refused, another user, or a login that timed out.
  case notAuthorised = 77
  case configuration = 78

  /// The worse of two outcomes: `done` is the best, and permanent failures are worse than temporary ones.
  package func worse(_ other: ExitCode) -> ExitCode { severity >= other.severity ? self : other }

  private var severity: Int {
    switch self {
    case .done: 0
    case .temporary: 1
    case .unavailable: 2
    case .notAuthorised: 3
    case .badData: 4
    case .cannotCreate: 5
    case .inputOutput: 6
    case .usage: 7
    case .configuration: 8
    case .software: 9
    }
  }

  /// Ends this process at once (`_exit(2)`), whatever its other threads are in the middle of.
  ///
  /// exit(3) would take the loaded libraries down first, while those threads still work in them: OpenSSL frees what a connection
  /// that closes just then uses. All output is written by write(2), so none waits in a buffer.
  package func endProcess() -> Never { _exit(rawValue) }
}
