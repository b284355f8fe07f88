internal import Glibc
internal import Platform

/// A connection to a control socket. One thread reads and writes, and may block. Any thread can close the connection.
final class ControlConnection: Sendable {
  private let path: String
  /// The descriptor. It is closed only when this object is released, so that no call uses a number that has been reused for another file.
  private let number: Int32

  /// Connects to a control socket.
  /// - Parameter timeout: the time limit for connecting to a busy process, and for each write (`SO_SNDTIMEO`).
  init(to path: String, timeout: Duration) throws(ControlClientError) {
    guard UnixAddress.fits(path) else { throw .unreachable("\(path) is too long for a socket path") }
    do throws(SystemError) {
      let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
      let socket = Descriptor(owning: try check("socket", path) { Glibc.socket(AF_UNIX, type, 0) })
      try ControlConnection.limitSending(socket.number, to: timeout)
      try ControlConnection.connect(socket.number, to: path)
      try ControlConnection.checkOwner(of: socket.number, at: path)
      self.path = path
      number = socket.release()
    } catch {
      switch error.code {
      case ENOENT, ECONNREFUSED: throw .unreachable("no process is listening on \(path)")
      case EAGAIN: throw .timedOut(path)
      default: throw .unreachable("\(error)")
      }
    }
  }

  deinit { _ = close(number) }

  /// Shuts the connection down in both directions, which makes a blocked read return. Can be called from any thread.
  func hangUp() { _ = shutdown(number, Int32(SHUT_RDWR)) }

  func write(_ bytes: [UInt8]) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let number = number
      done += try check("send", path) {
        unsafe bytes.withUnsafeBytes {
          unsafe send(number, $0.baseAddress! + done, $0.count - done, Int32(MSG_NOSIGNAL))
        }
      }
    }
  }

  /// Blocks until bytes arrive.
  /// - Parameter deadline: the time limit; nil for none.
  /// - Returns: the bytes; empty if the connection has ended, nil after the deadline.
  func read(until deadline: BootInstant?) throws(SystemError) -> [UInt8]? {
    guard try waitForInput(until: deadline) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 16384)
    let number = number
    do throws(SystemError) {
      let count = try check("recv", path) {
        unsafe bytes.withUnsafeMutableBytes { unsafe recv(number, $0.baseAddress, $0.count, 0) }
      }
      return Array(bytes[..<count])
    } catch {
      // The peer closed the connection with unread bytes. Treat the reset as a normal end.
      if error.code == ECONNRESET { return [] }
      throw error
    }
  }

  /// Blocks until bytes can be read, or the connection has ended.
  /// - Returns: false after the deadline.
  func waitForInput(until deadline: BootInstant?) throws(SystemError) -> Bool {
    while true {
      var left: Int32 = -1
      if let deadline {
        // Round up, so that a wait of less than a millisecond does not become 0.
        let milliseconds = ((deadline - .now).nanoseconds + 999_999) / 1_000_000
        if milliseconds <= 0 { return false }
        left = Int32(clamping: milliseconds)
      }
      var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      let count = unsafe poll(&entry, 1, left)
      if count > 0 { return true }
      if count == -1, errno != EINTR { throw SystemError(call: "poll", code: errno, subject: path) }
    }
  }

  private static func limitSending(_ number: Int32, to timeout: Duration) throws(SystemError) {
    let (seconds, attoseconds) = timeout.components
    var time = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    try check("setsockopt") {
      unsafe setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  /// Checks that the socket belongs to this process's user, because requests and responses contain secrets. The kernel records the user who
  /// called listen(2) (`SO_PEERCRED`, unix(7)).
  private static func checkOwner(of number: Int32, at path: String) throws(SystemError) {
    let owner = PeerCredentials(of: number)
    guard owner?.userID != geteuid() else { return }
    throw SystemError(
      call: "connect", code: EPERM, subject: path,
      finding:
        "\(owner.map { "\($0)" } ?? "an unknown user") is listening on it, so nothing was sent. Remove the file if it is not yours"
    )
  }

  private static func connect(_ number: Int32, to path: String) throws(SystemError) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    try check("connect", path) {
      unsafe withUnsafePointer(to: &address) {
        unsafe Glibc.connect(
          number, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self),
          socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
