internal import CLinux
internal import Dispatch
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
    let former = ignoreInterrupts()
    defer { restore(former) }
    return wait(for: try spawnInForeground(program, arguments, environment: environment))
  }

  /// Runs a program that uses the terminal and reads text from its standard input, such as a pager, and waits until it exits.
  ///
  /// It is not a failure if the program exits before reading all of the text. If this process receives SIGTERM or SIGHUP, it passes
  /// the signal on, waits until the program has exited, and then ends by the same signal.
  /// - Returns: its exit status, or 128 plus the number of the signal that killed it.
  package static func runInForeground(
    _ program: String, _ arguments: [String], environment: [String: String], input: [UInt8]
  ) throws(SystemError) -> Int32 {
    var ends: [Int32] = [0, 0]
    try check("pipe") { unsafe pipe(&ends) }
    let reading = Descriptor(owning: ends[0])
    let writing = Descriptor(owning: ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let former = ignoreInterrupts() + [(SIGPIPE, signal(SIGPIPE, SIG_IGN))]
    defer { restore(former) }
    let state = Locked<(process: Int32?, received: Int32?)>((nil, nil))
    // Once the program has started, a signal must not end this process alone.
    let registering = DispatchGroup()
    let queue = DispatchQueue(label: "homeline.foreground")
    let sources = [SIGTERM, SIGHUP].map { number in
      registering.enter()
      return DispatchSource.signal(number, on: queue, registered: { registering.leave() }) {
        state.withLock {
          $0.received = number
          if let process = $0.process { kill(process, number) }
        }
      }
    }
    for source in sources { source.activate() }
    registering.wait()
    defer { for source in sources { source.cancel() } }
    let process = try spawnInForeground(program, arguments, environment: environment, input: reading.number)
    state.withLock {
      $0.process = process
      if let number = $0.received { kill(process, number) }
    }
    try reading.close()
    // This fails if the program has closed its input.
    try? writing.write(input)
    try writing.close()
    let status = wait(for: process)
    if let number = state.withLock({ $0.received }) { ProcessEnd.bySignal(number) }
    return status
  }

  private typealias SignalAction = (number: Int32, action: sighandler_t?)

  /// Makes this process ignore SIGINT and SIGQUIT.
  /// - Returns: the former actions.
  private static func ignoreInterrupts() -> [SignalAction] {
    [SIGINT, SIGQUIT].map { (number: $0, action: signal($0, SIG_IGN)) }
  }

  private static func restore(_ former: [SignalAction]) {
    for (number, action) in former { _ = signal(number, action) }
  }

  private static func spawnInForeground(
    _ program: String, _ arguments: [String], environment: [String: String], input: Int32? = nil
  ) throws(SystemError) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    if let input { unsafe posix_spawn_file_actions_adddup2(&actions, input, 0) }
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var process: Int32 = 0
    let code = unsafe withCStrings([program] + arguments) { arguments in
      unsafe withCStrings(environment.map { "\($0.key)=\($0.value)" }) { variables in
        unsafe posix_spawnp(&process, program, &actions, &attributes, arguments, variables)
      }
    }
    guard code == 0 else { throw SystemError(call: "posix_spawn", code: code, subject: program) }
    return process
  }
}
