internal import CLinux
internal import Glibc

/// The end of this process by a signal.
package enum ProcessEnd {
  /// Ends this process by a signal, so that the shell reports the signal as the cause.
  package static func bySignal(_ number: Int32) -> Never {
    _ = signal(number, SIG_DFL)
    // Dispatch's threads block all signals, and raise(3) signals the calling thread.
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    _ = raise(number)
    _exit(128 + number)
  }
}
