internal import CLinux
internal import Glibc

extension Child {
  /// Runs a program that uses the terminal, such as an editor, and waits until it exits (`posix_spawn(3)`).
  ///
  /// The program uses this process's standard streams and process group. While it runs, Ctrl-C and Ctrl-\ are meant for the program, so
  /// this process ignores SIGINT and SIGQUIT.
  /// - Returns: its exit status, or 128 plus the number of the signal that killed it.
  package static func runInForeground(
    _ program: String, _ arguments: [String], environment: [String: String]
  ) throws(SystemError) -> Int32 {
    let former = [SIGINT, SIGQUIT].map { (number: $0, action: signal($0, SIG_IGN)) }
    defer { for (number, action) in former { _ = signal(number, action) } }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var process: Int32 = 0
    let code = unsafe withCStrings([program] + arguments) { arguments in
      unsafe withCStrings(environment.map { "\($0.key)=\($0.value)" }) { variables in
        unsafe posix_spawnp(&process, program, nil, &attributes, arguments, variables)
      }
    }
    guard code == 0 else { throw SystemError(call: "posix_spawn", code: code, subject: program) }
    return wait(for: process)
  }
}
