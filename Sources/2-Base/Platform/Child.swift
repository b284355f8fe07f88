internal import CLinux
internal import Dispatch
internal import Glibc

/// Starts programs (`posix_spawn(3)`) with a clean signal mask and only the three standard streams, and without the variables
/// that a service manager sets for this process only (`ServiceVariables`).
package enum Child {
  /// Starts a program, found through `PATH`, without standard input and with its output discarded. Does not wait for it.
  /// - Returns: its process id, for `wait(for:)`.
  package static func start(_ program: String, _ arguments: [String], environment: [String: String]) throws(SystemError)
    -> Int32
  {
    try spawn(program, arguments, environment: environment)
  }

  /// Runs a program until it exits, or until the timeout, and returns its standard output.
  /// - Parameter discardsError: whether to discard its standard error; otherwise it shares this process's.
  /// - Throws: ETIMEDOUT if it was killed after the timeout; EFBIG if it wrote more than `limit` bytes; ECHILD with the status in
  ///   its description if its exit status was not 0.
  package static func output(
    of program: String, _ arguments: [String], environment: [String: String], limit: Int, timeout: Duration,
    discardsError: Bool = false
  ) throws(SystemError) -> [UInt8] {
    var ends: [Int32] = [0, 0]
    try check("pipe") { unsafe pipe(&ends) }
    let reading = Descriptor(owning: ends[0])
    let writing = Descriptor(owning: ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let process = try spawn(
      program, arguments, environment: environment, output: writing.number, discardsError: discardsError)
    try writing.close()
    let deadline = BootInstant.now + timeout
    do throws(SystemError) {
      let bytes = try collect(reading, until: deadline, limit: limit, program: program)
      let status = wait(for: process)
      guard status == 0 else {
        throw SystemError(call: "wait", code: ECHILD, subject: program, finding: "exited with status \(status)")
      }
      return bytes
    } catch {
      if error.code != ECHILD {
        // Kill its own children too: they would keep running and keep this process's standard error open.
        kill(-process, SIGKILL)
        _ = wait(for: process)
      }
      throw error
    }
  }

  /// Waits for a child to exit (`waitpid(2)`): returns its exit status, or 128 plus the number of the signal that killed it.
  @discardableResult
  package static func wait(for process: Int32) -> Int32 {
    var status: Int32 = 0
    guard (try? check("waitpid", nil, { unsafe waitpid(process, &status, 0) })) != nil else { return -1 }
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }

  /// Calls back on a separate queue when a child exits, perhaps hours later. The closure receives the same value as `wait(for:)` returns.
  package static func whenEnded(_ process: Int32, _ body: @escaping @Sendable (Int32) -> Void) {
    DispatchQueue(label: "homeline.child").async { body(wait(for: process)) }
  }

  private static func collect(
    _ reading: borrowing Descriptor, until deadline: BootInstant, limit: Int, program: String
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    try pass(reading, until: deadline, of: program) { piece throws(SystemError) in
      bytes += piece
      if bytes.count > limit { throw SystemError(call: "read", code: EFBIG, subject: program) }
    }
    return bytes
  }

  /// Passes on what a program writes until it closes its output.
  static func pass(
    _ reading: borrowing Descriptor, until deadline: BootInstant, of program: String,
    to take: ([UInt8]) throws(SystemError) -> Void
  ) throws(SystemError) {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let number = reading.number
    while true {
      let left = (deadline - .now).nanoseconds / 1_000_000
      guard left > 0 else { throw SystemError(call: "poll", code: ETIMEDOUT, subject: program) }
      var waiting = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      let ready = try check("poll", program) { unsafe poll(&waiting, 1, Int32(clamping: left)) }
      if ready == 0 { continue }
      let count = try check("read", program) {
        unsafe chunk.withUnsafeMutableBytes { unsafe read(number, $0.baseAddress, $0.count) }
      }
      if count == 0 { return }
      try take(Array(chunk[..<count]))
    }
  }

  /// The number of the first descriptor that a child receives in addition to its standard streams.
  package static let firstDescriptor: Int32 = 3

  /// Starts a program in its own process group.
  /// - Parameters:
  ///   - input: its standard input; nil for none.
  ///   - output: its standard output. If `input` and `output` are both missing, the program does not inherit standard error either.
  ///   - descriptors: descriptors that the child receives, numbered from ``firstDescriptor`` on. Their numbers in this process must be
  ///     higher than those in the child.
  static func spawn(
    _ program: String, _ arguments: [String], environment: [String: String], input: Int32? = nil, output: Int32? = nil,
    descriptors: [Int32] = [], discardsError: Bool = false
  ) throws(SystemError) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    if let input {
      unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    if let output {
      unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    } else {
      unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    }
    if discardsError || input == nil && output == nil {
      unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    // Some descriptors are not close-on-exec, such as libcurl's connections to providers.
    var next = firstDescriptor
    for descriptor in descriptors {
      unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, next)
      next += 1
    }
    unsafe clinux_spawn_closing_from(&actions, next)
    // A child of a Dispatch worker would otherwise start with SIGTERM blocked and SIGPIPE ignored.
    var none = sigset_t()
    var all = sigset_t()
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    // A separate process group: Ctrl-C in this terminal must not kill the user's browser.
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    let variables = environment.filter { !ServiceVariables.all.contains($0.key) }.map { "\($0.key)=\($0.value)" }
    var process: Int32 = 0
    let code = unsafe withCStrings([program] + arguments) { arguments in
      unsafe withCStrings(variables) { variables in
        unsafe posix_spawnp(&process, program, &actions, &attributes, arguments, variables)
      }
    }
    guard code == 0 else { throw SystemError(call: "posix_spawn", code: code, subject: program) }
    return process
  }
}

extension Child {
  /// Runs a program with these bytes as its standard input, and waits until it exits or the timeout expires. Its standard output is
  /// discarded; it inherits standard error.
  ///
  /// It is not a failure if the program exits before reading all of its input.
  /// - Parameter mayLeave: polled once the input has been written; returns whether to stop waiting and leave the program running.
  /// - Returns: its exit status, or 128 plus the number of the signal that killed it; nil if it was left running.
  /// - Throws: ETIMEDOUT if it was killed after the timeout.
  package static func run(
    _ program: String, _ arguments: [String], environment: [String: String], input: [UInt8], timeout: Duration,
    mayLeave: () -> Bool = { false }
  ) throws(SystemError) -> Int32? {
    var ends: [Int32] = [0, 0]
    try check("pipe") { unsafe pipe(&ends) }
    let reading = Descriptor(owning: ends[0])
    let writing = Descriptor(owning: ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let process = try spawn(program, arguments, environment: environment, input: reading.number)
    try reading.close()
    let deadline = BootInstant.now + timeout
    do throws(SystemError) {
      try feed(input, to: writing, of: program, until: deadline)
      try writing.close()
      while true {
        if let status = try ended(process) { return status }
        if mayLeave() { return nil }
        guard BootInstant.now < deadline else { throw SystemError(call: "wait", code: ETIMEDOUT, subject: program) }
        usleep(50_000)
      }
    } catch {
      // This also kills the processes that the program has started.
      kill(-process, SIGKILL)
      _ = wait(for: process)
      throw error
    }
  }

  /// Starts a program that runs for as long as this process needs it. Its standard input is a pipe whose other end this process holds, so
  /// the program reaches the end of its input when this process closes the pipe or exits for any reason. It inherits standard error.
  /// - Parameter descriptors: descriptors of this process that the child receives, numbered from ``firstDescriptor`` on.
  /// - Returns: the process id for `wait(for:)`, and the descriptor of this process's end of the pipe, which the caller closes.
  package static func serve(
    _ program: String, _ arguments: [String], environment: [String: String], descriptors: [Int32]
  ) throws(SystemError) -> (process: Int32, input: Int32) {
    var ends: [Int32] = [0, 0]
    try check("pipe") { unsafe pipe(&ends) }
    let reading = Descriptor(owning: ends[0])
    let writing = Descriptor(owning: ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // The copies have higher numbers than the child's descriptors, so that none is overwritten before it is copied.
    let lowest = firstDescriptor + Int32(descriptors.count)
    var copies: [Int32] = []
    defer { for copy in copies { _ = close(copy) } }
    for descriptor in descriptors {
      copies.append(try check("fcntl", program) { fcntl(descriptor, F_DUPFD_CLOEXEC, lowest) })
    }
    let process = try spawn(
      program, arguments, environment: environment, input: reading.number, descriptors: copies)
    return (process, writing.release())
  }

  private static func feed(
    _ input: [UInt8], to writing: borrowing Descriptor, of program: String, until deadline: BootInstant
  ) throws(SystemError) {
    _ = fcntl(writing.number, F_SETFL, O_NONBLOCK)
    let number = writing.number
    var done = 0
    while done < input.count {
      let left = (deadline - .now).nanoseconds / 1_000_000
      guard left > 0 else { throw SystemError(call: "poll", code: ETIMEDOUT, subject: program) }
      var waiting = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
      _ = try check("poll", program) { unsafe poll(&waiting, 1, Int32(clamping: left)) }
      // The program has closed its end and needs no more input.
      if waiting.revents & Int16(POLLERR) != 0 { return }
      if waiting.revents == 0 { continue }
      do throws(SystemError) {
        done += try check("write", program) {
          unsafe input.withUnsafeBytes { unsafe write(number, $0.baseAddress! + done, min($0.count - done, 4096)) }
        }
      } catch {
        if error.code == EPIPE { return }
        if error.code != EAGAIN { throw error }
      }
    }
  }

  private static func ended(_ process: Int32) throws(SystemError) -> Int32? {
    var status: Int32 = 0
    guard try check("waitpid", nil, { unsafe waitpid(process, &status, WNOHANG) }) == process else { return nil }
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }
}
