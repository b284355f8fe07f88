internal import Glibc

extension Child {
  /// Runs a program with these bytes as its standard input, and waits for its end, at most so long. What it says on standard output is
  /// dropped; its standard error is ours.
  ///
  /// One that does not read all of it may end before; that is no failure.
  /// - Parameter mayLeave: asked now and then once it has its input: whether not to wait any longer. It then goes on by itself.
  /// - Returns: its exit status, or 128 and the number of the signal that ended it; nil when it was left.
  /// - Throws: ETIMEDOUT when it was ended for taking too long.
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
      // With whatever it has started itself.
      kill(-process, SIGKILL)
      _ = wait(for: process)
      throw error
    }
  }

  /// Starts a program that runs for as long as this process wants it: its standard input is a pipe whose other end this process
  /// holds, so that it reads the end of input when that is closed, and when this process ends, however it ends. Its standard error
  /// is ours.
  /// - Parameter descriptors: of this process; become its descriptors from ``firstDescriptor`` on.
  /// - Returns: the number of its process, to be given to `wait(for:)`, and the descriptor of our end of the pipe, which the caller
  ///   closes.
  package static func serve(
    _ program: String, _ arguments: [String], environment: [String: String], descriptors: [Int32]
  ) throws(SystemError) -> (process: Int32, input: Int32) {
    var ends: [Int32] = [0, 0]
    try check("pipe") { unsafe pipe(&ends) }
    let reading = Descriptor(owning: ends[0])
    let writing = Descriptor(owning: ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // Out of the way of the numbers that they become, of which one could otherwise be overwritten before it is copied.
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
      // It has closed its end: it has read what it wanted.
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
