internal import CLinux
internal import Glibc

/// Starts programs (`posix_spawn(3)`) with a clean signal mask, with the three standard streams alone, and without the variables
/// that are a service manager's word to this process only (`ServiceVariables`).
package enum Child {
  /// Starts a program, found by `PATH`, with no standard input and its standard streams discarded. Does not wait.
  /// - Returns: the number of its process, to be given to `wait(for:)`.
  package static func start(_ program: String, _ arguments: [String], environment: [String: String]) throws(SystemError)
    -> Int32
  {
    try spawn(program, arguments, environment: environment)
  }

  /// Runs a program to its end, at most so long, and answers its standard output.
  /// - Throws: ETIMEDOUT when it was ended for taking too long; EFBIG when it said more than `limit` bytes; ECHILD with the
  ///   status as subject when it did not end with 0.
  package static func output(
    of program: String, _ arguments: [String], environment: [String: String], limit: Int, timeout: Duration
  ) throws(SystemError) -> [UInt8] {
    var ends: [Int32] = [0, 0]
    try check("pipe") { unsafe pipe(&ends) }
    let reading = Descriptor(owning: ends[0])
    let writing = Descriptor(owning: ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let process = try spawn(program, arguments, environment: environment, output: writing.number)
    try writing.close()
    let deadline = BootInstant.now + timeout
    do throws(SystemError) {
      let bytes = try collect(reading, until: deadline, limit: limit, program: program)
      let status = wait(for: process)
      guard status == 0 else {
        throw SystemError(call: "wait", code: ECHILD, subject: "\(program) ended with status \(status)")
      }
      return bytes
    } catch {
      if error.code != ECHILD {
        // With whatever it has started itself: those would go on, and hold our standard error open.
        kill(-process, SIGKILL)
        _ = wait(for: process)
      }
      throw error
    }
  }

  /// Waits for a child's end (`waitpid(2)`): its exit status, or 128 and the number of the signal that ended it.
  @discardableResult
  package static func wait(for process: Int32) -> Int32 {
    var status: Int32 = 0
    guard (try? check("waitpid", nil, { unsafe waitpid(process, &status, 0) })) != nil else { return -1 }
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }

  private static func collect(
    _ reading: borrowing Descriptor, until deadline: BootInstant, limit: Int, program: String
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
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
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      if bytes.count > limit { throw SystemError(call: "read", code: EFBIG, subject: program) }
    }
  }

  /// The number of the first descriptor that a child is given besides its standard streams.
  package static let firstDescriptor: Int32 = 3

  /// - Parameters:
  ///   - input: its standard input; nil for none.
  ///   - output: its standard output. Without either it has no standard error of ours.
  ///   - descriptors: become its descriptors from ``firstDescriptor`` on. Each must have a number above all of those.
  static func spawn(
    _ program: String, _ arguments: [String], environment: [String: String], input: Int32? = nil, output: Int32? = nil,
    descriptors: [Int32] = []
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
    if input == nil, output == nil {
      unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    // Not everything is close-on-exec: libcurl's connections to providers are not.
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
    // A process group of its own: Ctrl-C in our terminal is not meant for the user's browser.
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
