import Dispatch
import Glibc

/// A program started by a test, with its input, output and exit status.
///
/// After the timeout, the program's process group is killed, which the outcome records. The standard streams are socket pairs rather than
/// pipes. Socket pairs can be made close-on-exec atomically, so other programs do not inherit an end, and writing without a reader raises
/// no signal in this process.
///
/// All variables are accessed only on `queue`.
package final class ProgramRun: @unchecked Sendable {
  /// The exit code and the complete output of a program.
  package struct Outcome: Sendable {
    /// The exit code, or 128 plus the number of the signal that ended it.
    package let code: Int32
    package let output: String
    package let error: String
    /// Whether the program was killed after its timeout.
    package let timedOut: Bool
  }

  /// The standard input of a program.
  package enum Input: Sendable {
    /// The input is `/dev/null`.
    case nothing
    /// The input is this text, followed by the end of input.
    case text(String)
    /// The input is the text passed to `type`, until `endInput` is called.
    case open
  }

  package enum Stream: Sendable { case output, error }

  /// The process id of the program, which is also the id of its process group.
  package let process: Int32
  private let queue = DispatchQueue(label: "program-run")
  private let inputEnd: Int32?
  private var written: (output: [UInt8], error: [UInt8]) = ([], [])
  private var outcome: Outcome?
  private var timedOut = false
  private var waiters: [(ProgramRun) -> Bool] = []
  /// This process's ends of standard output and standard error. A thread closes them after both streams have ended.
  private let ends: [Int32]
  private var isOpen = [true, true]

  /// Starts a program (`posix_spawn(3)`) with default signals, no signal blocked, and its own process group.
  ///
  /// - Parameters:
  ///   - program: a path, or a name searched for in `PATH`.
  ///   - environment: all environment variables; see `ProgramRun.environment(home:_:)`.
  package init(
    _ program: String, _ arguments: [String] = [], environment: [String: String], input: Input = .nothing,
    timeout: Duration = .seconds(240)
  ) throws {
    let output = try Self.pair()
    let error = try Self.pair()
    var inputPair: (ours: Int32, theirs: Int32)?
    if case .nothing = input {} else { inputPair = try Self.pair() }
    inputEnd = inputPair?.ours
    ends = [output.ours, error.ours]
    do {
      // This process closes the program's end before it writes any input. Otherwise, writing text that is never read would block forever.
      defer { for end in [output.theirs, error.theirs, inputPair?.theirs] { if let end { close(end) } } }
      process = try Self.spawn(
        program, arguments, environment, streams: [inputPair?.theirs, output.theirs, error.theirs])
    }
    collect()
    waitForEnd()
    queue.asyncAfter(deadline: .now() + .milliseconds(Int(timeout / .milliseconds(1)))) { [weak self] in
      guard let self, self.outcome == nil else { return }
      self.timedOut = true
      kill(-self.process, SIGKILL)
    }
    if case .text(let text) = input {
      type(text)
      endInput()
    }
  }

  /// Runs a program until it exits.
  package static func run(
    _ program: String, _ arguments: [String] = [], environment: [String: String], input: Input = .nothing,
    timeout: Duration = .seconds(240)
  ) async throws -> Outcome {
    try await ProgramRun(
      program, arguments, environment: environment, input: input, timeout: timeout
    ).end()
  }

  /// Waits until the program exits.
  package func end() async -> Outcome {
    await wait { $0.outcome }!
  }

  /// Waits for a complete line that contains `text`. Returns nil if the program exited without such a line.
  package func line(containing text: String, on stream: Stream = .output) async -> String? {
    await wait { run -> String?? in
      let bytes = stream == .output ? run.written.output : run.written.error
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      // The text after the last line feed is incomplete unless the program has exited.
      for line in run.outcome == nil ? lines.dropLast() : lines[...] {
        let line = String(decoding: line, as: UTF8.self)
        if line.contains(text) { return .some(line) }
      }
      return run.outcome == nil ? nil : .some(nil)
    } ?? nil
  }

  /// Returns a stream's output so far. It includes everything that the program wrote before the output already seen on the other stream.
  package func written(on stream: Stream) -> String {
    queue.sync {
      drainAll()
      askWaiters()
      return String(decoding: stream == .output ? written.output : written.error, as: UTF8.self)
    }
  }

  /// Whether the program is still running.
  package var isRunning: Bool { queue.sync { outcome == nil } }

  /// Writes text to the program's standard input. It is not an error if the program does not read the text.
  package func type(_ text: String) {
    guard let inputEnd else { preconditionFailure("the program was started without an input to type into") }
    let bytes = Array(text.utf8)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { send(inputEnd, $0.baseAddress! + done, $0.count - done, Int32(MSG_NOSIGNAL)) }
      if count == -1, errno == EINTR { continue }
      if count == -1 { return }
      done += count
    }
  }

  /// Closes the program's standard input.
  package func endInput() {
    if let inputEnd { shutdown(inputEnd, Int32(SHUT_WR)) }
  }

  /// Sends a signal to the program if it is still running.
  package func signal(_ number: Int32) {
    // The process is reaped on this queue, so its id cannot belong to another process yet.
    queue.sync { if outcome == nil { kill(process, number) } }
  }

  deinit { if let inputEnd { close(inputEnd) } }

  /// Waits until `find` returns a value. `find` is called after each output of the program, and after its exit.
  private func wait<Answer: Sendable>(for find: @escaping @Sendable (ProgramRun) -> Answer?) async -> Answer? {
    await withCheckedContinuation { continuation in
      queue.async {
        let waiter: (ProgramRun) -> Bool = { run in
          guard let response = find(run) else { return false }
          continuation.resume(returning: response)
          return true
        }
        if !waiter(self) { self.waiters.append(waiter) }
      }
    }
  }

  private func askWaiters() { waiters.removeAll { $0(self) } }

  /// Collects the output of both streams until they end. This runs on a separate thread because on Linux, Dispatch
  /// sources sometimes crash when the other end hangs up (swift-corelibs-libdispatch, issue 949).
  private func collect() {
    OwnThread.start { [self] in
      var waiting = ends.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      while waiting.contains(where: { $0.fd >= 0 }) {
        while poll(&waiting, nfds_t(waiting.count), -1) == -1, errno == EINTR {}
        queue.sync {
          for index in waiting.indices where waiting[index].revents != 0 {
            if !drain(index) { waiting[index].fd = -1 }
          }
          askWaiters()
        }
      }
      for end in ends { close(end) }
    }
  }

  private func drainAll() {
    for index in ends.indices where isOpen[index] { _ = drain(index) }
  }

  /// Reads all available output. Returns false at the end of the stream.
  private func drain(_ index: Int) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = chunk.withUnsafeMutableBytes { recv(ends[index], $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
      if count > 0 {
        if index == 0 { written.output += chunk[..<count] } else { written.error += chunk[..<count] }
      } else if count == 0 || errno != EINTR {
        let goesOn = count == -1 && errno == EAGAIN
        if !goesOn { isOpen[index] = false }
        return goesOn
      }
    }
  }

  /// Waits for the process on a separate thread and then completes the run on the queue. A child of the program that holds the streams open
  /// does not delay this.
  private func waitForEnd() {
    let process = process
    OwnThread.start {
      var info = siginfo_t()
      while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) == -1, errno == EINTR {}
      self.queue.async {
        self.drainAll()
        for index in self.ends.indices where self.isOpen[index] { shutdown(self.ends[index], Int32(SHUT_RDWR)) }
        Self.removeFakedTime(of: process)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        let signal = status & 0x7f
        self.outcome = Outcome(
          code: signal == 0 ? (status >> 8) & 0xff : 128 + signal,
          output: String(decoding: self.written.output, as: UTF8.self),
          error: String(decoding: self.written.error, as: UTF8.self), timedOut: self.timedOut)
        self.askWaiters()
      }
    }
  }

  /// Removes the shared memory whose name libfaketime derives from the process id. It remains if the process is killed or exits with
  /// _exit(2), and the next process with that id would then not start. No process can have the id before this process is reaped.
  private static func removeFakedTime(of process: pid_t) {
    for name in ["faketime_shm_\(process)", "sem.faketime_sem_\(process)"] { unlink("/dev/shm/\(name)") }
  }

  private static func pair() throws -> (ours: Int32, theirs: Int32) {
    var ends: [Int32] = [0, 0]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw ProgramError(call: "socketpair", code: errno) }
    return (ends[0], ends[1])
  }

  private static func spawn(
    _ program: String, _ arguments: [String], _ environment: [String: String], streams: [Int32?]
  ) throws -> Int32 {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (number, end) in zip(0..., streams) {
      if let end {
        posix_spawn_file_actions_adddup2(&actions, end, Int32(number))
      } else {
        posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
      }
    }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var argv: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argv + variables { free(text) } }
    var process: Int32 = 0
    let code = posix_spawnp(&process, program, &actions, &attributes, &argv, &variables)
    guard code == 0 else { throw ProgramError(call: "posix_spawn \(program)", code: code) }
    return process
  }
}

/// The error for a program that could not be started.
package struct ProgramError: Error, CustomStringConvertible {
  package let call: String
  package let code: Int32
  package var description: String { "\(call): \(String(cString: strerror(code)))" }
}
