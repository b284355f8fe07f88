internal import CLinux
internal import Glibc
internal import Platform

/// System calls on non-blocking connected or listening stream sockets.
enum StreamSocket {
  /// The result of reading.
  enum Received {
    case bytes([UInt8])
    /// The peer has closed its sending side.
    case ended
    /// No data is available.
    case blocked
    /// The connection is broken.
    case failed
  }

  /// Writes as much as the socket accepts, without raising SIGPIPE.
  /// - Returns: the number of bytes accepted, 0 if the call would block, or nil if the connection is broken.
  static func send(_ bytes: ArraySlice<UInt8>, to number: Int32) -> Int? {
    do throws(SystemError) {
      return try check("send") {
        unsafe bytes.withUnsafeBytes { unsafe Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      }
    } catch {
      return error.isBlocked ? 0 : nil
    }
  }

  /// Closes the sending side.
  static func endOutput(of number: Int32) {
    _ = shutdown(number, Int32(SHUT_WR))
  }

  /// Stops listening and closes the descriptor.
  ///
  /// Closing the descriptor is not enough: a child that is being started has copies of all descriptors until its execve(2), and its copy
  /// would keep the address bound. A socket that has been shut down does not prevent another bind(2).
  static func stopListening(at number: Int32, isShared: Bool) {
    if !isShared { _ = shutdown(number, Int32(SHUT_RDWR)) }
    _ = close(number)
  }

  /// The result of accepting.
  enum Accepted {
    case connection(Int32)
    /// No connection is waiting.
    case none
    /// The waiting connection was already closed; another connection may be waiting.
    case gone
    /// The process or the system has no file descriptors left.
    case exhausted
  }

  /// Accepts a connection from a listening socket (accept(2)). The caller closes the descriptor.
  static func accept(from number: Int32) -> Accepted {
    do throws(SystemError) {
      return .connection(try check("accept4") { clinux_accept(number) })
    } catch {
      switch error.code {
      case EAGAIN: return .none
      // accept(2) reports these network errors on the new connection. They do not affect the listening socket.
      case ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, EOPNOTSUPP, ENETUNREACH:
        return .gone
      // The kernel looks for a free descriptor first, so it reports that none is free even if no connection is waiting.
      default: return isReadable(number) ? .exhausted : .none
      }
    }
  }

  private static func isReadable(_ number: Int32) -> Bool {
    var question = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&question, 1, 0) == 1
  }
}
