internal import Dispatch
internal import Glibc
internal import Platform

/// The end of this process by a signal, after something was tidied up.
enum TerminationSignals {
  /// Ctrl-C, `kill`, and a terminal that is closed.
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Has `take` called, on the main queue, instead of each of these signals ending the process. Those that the caller of this
  /// program has ignored (`nohup`) stay ignored.
  /// - Returns: what has to live as long as this shall hold.
  static func taken(by take: @escaping @Sendable (_ number: Int32) -> Void) -> [DispatchSource] {
    signals.filter { !isIgnored($0) }.map { number in
      let source = DispatchSource.signal(number, on: .main) { take(number) }
      source.activate()
      return source
    }
  }

  /// Ends the process as the signal would have, so that a shell sees what ended it.
  static func end(by number: Int32) -> Never {
    _ = signal(number, SIG_DFL)
    // Dispatch's threads block all signals, and raise(3) sends to the thread that calls it.
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    _ = raise(number)
    _exit(128 + number)
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    // Both are numbers in disguise, not functions.
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
