internal import CLinux
internal import Glibc
internal import Platform

/// The calls on a connected or listening stream socket that does not block, of whatever family.
enum StreamSocket {
  /// What reading gave.
  enum Received {
    case bytes([UInt8])
    /// The peer sends no more.
    case ended
    /// Nothing for now.
    case blocked
    /// The connection is broken.
    case failed
  }

  /// Writes as much as the socket takes; without a signal where the peer is gone.
  /// - Returns: the number of bytes taken, 0 if it would have to wait; nil if the connection is broken.
  static func send(_ bytes: ArraySlice<UInt8>, to number: Int32) -> Int? {
    do throws(SystemError) {
      return try check("send") {
        unsafe bytes.withUnsafeBytes { unsafe Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      }
    } catch {
      return error.isBlocked ? 0 : nil
    }
  }

  /// Says to the peer that no more will come.
  static func endOutput(of number: Int32) {
    _ = shutdown(number, Int32(SHUT_WR))
  }

  /// Ends listening and closes the descriptor.
  ///
  /// Closing is not enough: a child that is being started has copies of all descriptors up to its execve(2), and would hold the
  /// address for that long. A socket that was shut down does not stand in the way of another one's bind(2).
  static func stopListening(at number: Int32, isShared: Bool) {
    if !isShared { _ = shutdown(number, Int32(SHUT_RDWR)) }
    _ = close(number)
  }

  /// What accepting gave.
  enum Accepted {
    case connection(Int32)
    /// Nobody waits.
    case none
    /// The one that waited is gone again; there may be another one.
    case gone
    /// The process or the system has no room for another descriptor.
    case exhausted
  }

  /// Takes a connection off the queue of a listening socket (accept(2)); the caller closes the descriptor.
  static func accept(from number: Int32) -> Accepted {
    do throws(SystemError) {
      return .connection(try check("accept4") { clinux_accept(number) })
    } catch {
      switch error.code {
      case EAGAIN: return .none
      // Errors of the network that accept(2) passes on, and which are the connection's and not ours.
      case ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, EOPNOTSUPP, ENETUNREACH:
        return .gone
      // The kernel looks for a free descriptor first: this is also said where nobody waits.
      default: return isReadable(number) ? .exhausted : .none
      }
    }
  }

  private static func isReadable(_ number: Int32) -> Bool {
    var question = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&question, 1, 0) == 1
  }
}
