internal import Glibc

/// Programs whose output passes through this process. They end with it, even if it is killed, because that closes their pipes.
extension Child {
  /// A program, found through `PATH`, and its arguments.
  package struct Program: Sendable {
    let name: String
    let arguments: [String]

    package init(_ name: String, _ arguments: [String]) {
      self.name = name
      self.arguments = arguments
    }
  }

  /// Runs a program until it exits, and passes its standard output on in pieces. It inherits standard error.
  /// - Parameters:
  ///   - input: a file for its standard input; nil for none.
  ///   - take: receives each piece. If it throws, the program is killed.
  /// - Returns: its exit status, or 128 plus the number of the signal that killed it.
  /// - Throws: the error of `take`; ETIMEDOUT if the program was killed after the timeout.
  package static func run(
    _ program: Program, environment: [String: String], input: Int32? = nil, timeout: Duration,
    take: ([UInt8]) throws(SystemError) -> Void
  ) throws(SystemError) -> Int32 {
    var ends: [Int32] = [0, 0]
    try check("pipe") { unsafe pipe(&ends) }
    let reading = Descriptor(owning: ends[0])
    let writing = Descriptor(owning: ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let process = try spawn(
      program.name, program.arguments, environment: environment, input: input, output: writing.number)
    try writing.close()
    do throws(SystemError) {
      try pass(reading, until: BootInstant.now + timeout, of: program.name, to: take)
    } catch {
      kill(-process, SIGKILL)
      _ = wait(for: process)
      throw error
    }
    return wait(for: process)
  }

  /// Runs two programs. The first reads a file, and the second reads the output of the first.
  /// - Parameters:
  ///   - file: the first program's standard input.
  ///   - limit: the number of bytes that the first program may write.
  /// - Returns: the exit statuses of both.
  /// - Throws: EFBIG if the first program wrote more than `limit` bytes. Both were then killed.
  package static func run(
    _ file: borrowing Descriptor, through filter: Program, into reader: Program, environment: [String: String],
    limit: Int,
    timeout: Duration
  ) throws(SystemError) -> (filter: Int32, reader: Int32) {
    let (process, end) = try serve(
      reader.name, reader.arguments, environment: environment, descriptors: [])
    let writing = Descriptor(owning: end)
    // The reader may exit before the end of its input; it explains the reason itself.
    let former = signal(SIGPIPE, SIG_IGN)
    defer { _ = signal(SIGPIPE, former) }
    var passed = 0
    var isOpen = true
    let status: Int32
    do throws(SystemError) {
      status = try run(filter, environment: environment, input: file.number, timeout: timeout) {
        piece throws(SystemError) in
        passed += piece.count
        if passed > limit { throw SystemError(call: "read", code: EFBIG, subject: filter.name) }
        guard isOpen else { return }
        do throws(SystemError) { try writing.write(piece) } catch {
          guard error.code == EPIPE else { throw error }
          isOpen = false
        }
      }
      try writing.close()
    } catch {
      kill(-process, SIGKILL)
      _ = wait(for: process)
      throw error
    }
    return (status, wait(for: process))
  }
}
