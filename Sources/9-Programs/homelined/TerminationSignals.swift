internal import Dispatch
internal import Glibc
internal import Platform

/// The signals that end a process, handled so that it can clean up first.
enum TerminationSignals {
  /// Ctrl-C, `kill`, and closing a terminal.
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Calls `handle` on the main queue instead of ending the process. A signal that was already ignored when the program started
  /// (`nohup`) stays ignored.
  /// - Returns: The signal sources; releasing them stops the handling.
  static func taken(by handle: @escaping @Sendable (_ number: Int32) -> Void) -> [DispatchSource] {
    signals.filter { !isIgnored($0) }.map { number in
      let source = DispatchSource.signal(number, on: .main) { handle(number) }
      source.activate()
      return source
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    // Both are integers, not functions.
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
