internal import Glibc
internal import HTTP
internal import Platform

/// One connection to a control socket, read and written by one thread, which may wait; any other thread may hang up.
final class ControlConnection: Sendable {
  private let path: String
  /// Closed at the end of this object only, so that nobody's call meets another descriptor of the same number.
  private let number: Int32

  /// Connects.
  /// - Parameter patience: how long a busy owner may take to accept (`SO_SNDTIMEO`, which also holds for writing).
  init(to path: String, patience: Duration) throws(ControlClientError) {
    guard UnixAddress.fits(path) else { throw .unreachable("\(path) is too long for the path of a socket") }
    do throws(SystemError) {
      let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
      let socket = Descriptor(owning: try check("socket", path) { Glibc.socket(AF_UNIX, type, 0) })
      try ControlConnection.limitSending(socket.number, to: patience)
      try ControlConnection.connect(socket.number, to: path)
      try ControlConnection.checkOwner(of: socket.number, at: path)
      self.path = path
      number = socket.release()
    } catch {
      switch error.code {
      case ENOENT, ECONNREFUSED: throw .unreachable("nobody answers at \(path)")
      case EAGAIN: throw .timedOut(path)
      default: throw .unreachable("\(error)")
      }
    }
  }

  deinit { _ = close(number) }

  /// Ends the connection for the other end and for whoever reads here. From any thread.
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

  /// Waits for more bytes.
  /// - Parameter deadline: nil waits for ever.
  /// - Returns: what has come; empty at the connection's end, nil when nothing came in time.
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
      // The other end was closed with something of ours unread: an end like any other.
      if error.code == ECONNRESET { return [] }
      throw error
    }
  }

  private func waitForInput(until deadline: BootInstant?) throws(SystemError) -> Bool {
    while true {
      var left: Int32 = -1
      if let deadline {
        // Rounded up: a wait of less than a millisecond must not become none at all.
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

  private static func limitSending(_ number: Int32, to patience: Duration) throws(SystemError) {
    let (seconds, attoseconds) = patience.components
    var time = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    try check("setsockopt") {
      unsafe setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  /// What is asked for here is a token, or what the user pastes: it is for a program of the same user alone. The kernel names who
  /// began to listen (`SO_PEERCRED`, unix(7)).
  private static func checkOwner(of number: Int32, at path: String) throws(SystemError) {
    let owner = PeerCredentials(of: number)
    guard owner?.userID != geteuid() else { return }
    throw SystemError(
      call: "connect", code: EPERM, subject: path,
      finding:
        "\(owner.map { "\($0)" } ?? "somebody unknown") listens there, who is not asked. Remove what is not yours")
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

/// Why the owner of the state could not be asked, or did not answer as it should.
package enum ControlClientError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Nobody is there to be asked, for this reason. Nothing has been begun.
  case unreachable(String)
  /// The connection ended before anything was answered: the owner was about to end. Nothing has been begun, as far as can
  /// be told.
  case unanswered
  /// The owner was asked and will not.
  case refused(ControlRefusal)
  /// The answer ended in its middle: the owner has ended, or was made to.
  case brokenOff
  /// Nothing came in time.
  case timedOut(String)
  /// What came is not what this protocol has.
  case malformed(String)
  /// This end hung up.
  case hungUp

  package var description: String {
    switch self {
    case .unreachable(let reason): reason
    case .unanswered: "the owner of the accounts ended before it answered"
    case .refused(let refusal): refusal.message
    case .brokenOff:
      "the owner of the accounts ended in the middle of its answer; whether it did the rest, homeline status says"
    case .timedOut(let path): "the owner of the accounts does not answer at \(path)"
    case .malformed(let reason): "the owner of the accounts answers in a way that is not understood: \(reason)"
    case .hungUp: "the connection to the owner of the accounts was closed here"
    }
  }
}
