internal import Glibc
internal import Platform

/// Queries information about sockets.
enum SocketInformation {
  /// Returns a socket's local address as bytes (getsockname(2)). The first two bytes contain the family.
  private static func address(of number: Int32) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: MemoryLayout<sockaddr_storage>.size)
    var length = socklen_t(bytes.count)
    try check("getsockname") {
      unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe getsockname(number, buffer.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length)
      }
    }
    return bytes
  }

  private static func family(of address: [UInt8]) -> Int32 {
    // Families are below 256, so one of the two bytes is the family and the other is 0, in either byte order.
    Int32(address[0] | address[1])
  }

  /// Returns the TCP port that a socket is bound to. The port is in bytes 2 and 3 of both sockaddr_in and sockaddr_in6.
  static func port(of number: Int32) throws(SystemError) -> UInt16 {
    let address = try address(of: number)
    return UInt16(address[2]) << 8 | UInt16(address[3])
  }

  /// Returns the path that a Unix socket is bound to (unix(7)); nil if it has no file.
  static func path(of number: Int32) -> String? {
    guard let address = try? address(of: number), family(of: address) == AF_UNIX, address[2] != 0 else { return nil }
    return String(decoding: address[2...].prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Returns the port of a TCP socket that is listening on loopback; nil for a listening Unix socket.
  static func loopbackPort(ofListening number: Int32) throws(ListenError) -> UInt16? {
    guard option(SO_ACCEPTCONN, of: number) == 1, option(SO_TYPE, of: number) == Int32(SOCK_STREAM.rawValue) else {
      throw .notListening(descriptor: number)
    }
    do throws(SystemError) {
      let address = try address(of: number)
      switch family(of: address) {
      case AF_UNIX: return nil
      case AF_INET where address[4] == 127: break  // 127.0.0.0/8: RFC 1122 §3.2.1.3
      case AF_INET6 where address[8..<24].elementsEqual([UInt8](repeating: 0, count: 15) + [1]): break
      default: throw SystemError(call: "getsockname", code: EADDRNOTAVAIL)
      }
      return try port(of: number)
    } catch {
      throw error.code == EADDRNOTAVAIL ? .notLoopback(descriptor: number) : .system(error)
    }
  }

  /// Returns an option at the socket level; nil if the descriptor is not a socket.
  private static func option(_ name: Int32, of number: Int32) -> Int32? {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return unsafe getsockopt(number, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
  }
}
