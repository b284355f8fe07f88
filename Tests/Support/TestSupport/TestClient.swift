import Glibc

/// A blocking connection to a TCP port or Unix socket on this machine, for tests of servers.
///
/// Every wait is limited to 30 s, so that a test fails instead of waiting forever.
package final class TestClient: @unchecked Sendable {
  /// The response to a request.
  package struct Answer: Equatable, Sendable {
    package let status: Int
    /// The status line and the field lines, without the final empty line.
    package let head: String
    package let body: [UInt8]

    package var text: String { String(decoding: body, as: UTF8.self) }
  }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
  }

  // Only the test's thread uses a client.
  private var number: Int32
  private var unread: [UInt8] = []

  /// Creates the socket without connecting it, so that a test can connect it later, when no descriptors are left.
  /// - Parameter receiveBuffer: the size for SO_RCVBUF in bytes, which is small for a client that reads slowly.
  package init(unconnectedTo address: Address, receiveBuffer: Int32? = nil) throws {
    self.address = address
    number = socket(address.family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw Failure(description: "socket: errno \(errno)") }
    var patience = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    if var receiveBuffer {
      setsockopt(number, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
    }
  }

  /// Connects to 127.0.0.1, or to ::1.
  package convenience init(port: UInt16, overIPv6: Bool = false, receiveBuffer: Int32? = nil) throws {
    try self.init(
      unconnectedTo: overIPv6 ? .v6(port: port) : .v4(port: port), receiveBuffer: receiveBuffer)
    try connect()
  }

  /// Connects to a Unix socket.
  package convenience init(unix path: String, receiveBuffer: Int32? = nil) throws {
    try self.init(unconnectedTo: .unix(path: path), receiveBuffer: receiveBuffer)
    try connect()
  }

  deinit { close() }

  package enum Address: Sendable {
    case v4(port: UInt16)
    case v6(port: UInt16)
    case unix(path: String)

    /// The value of a browser's `Host` field.
    var authority: String {
      switch self {
      case .v4(let port): "127.0.0.1:\(port)"
      case .v6(let port): "[::1]:\(port)"
      case .unix: "localhost"
      }
    }

    var family: Int32 {
      switch self {
      case .v4: AF_INET
      case .v6: AF_INET6
      case .unix: AF_UNIX
      }
    }
  }

  private let address: Address

  package func connect() throws {
    let result: Int32
    switch address {
    case .v4(let port):
      var to = sockaddr_in()
      to.sin_family = sa_family_t(AF_INET)
      to.sin_port = port.bigEndian
      to.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
      result = connect(to: &to)
    case .v6(let port):
      var to = sockaddr_in6()
      to.sin6_family = sa_family_t(AF_INET6)
      to.sin6_port = port.bigEndian
      to.sin6_addr = in6addr_loopback
      result = connect(to: &to)
    case .unix(let path):
      var to = sockaddr_un()
      to.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &to.sun_path) { $0.copyBytes(from: path.utf8) }
      result = connect(to: &to)
    }
    guard result == 0 else { throw Failure(description: "connect: errno \(errno)") }
  }

  private func connect<A>(to address: inout A) -> Int32 {
    withUnsafePointer(to: &address) {
      Glibc.connect(
        number, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self), socklen_t(MemoryLayout<A>.size))
    }
  }

  /// Sends all bytes. Fails if the peer has closed the connection.
  package func send(_ text: String) throws { try send(Array(text.utf8)) }

  package func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw Failure(description: "send: errno \(errno)") }
      rest = rest.dropFirst(count)
    }
  }

  /// Sends `METHOD path HTTP/1.1` with a Host field and additional field lines.
  package func request(_ path: String, method: String = "GET", fields: [String] = []) throws {
    let lines = ["\(method) \(path) HTTP/1.1", "Host: \(address.authority)"] + fields + ["", ""]
    try send(lines.joined(separator: "\r\n"))
  }

  /// Reads the next bytes, at most `limit`. The result is empty at the end of the stream.
  package func receive(upTo limit: Int = 65536) throws -> [UInt8] {
    if !unread.isEmpty {
      let bytes = Array(unread.prefix(limit))
      unread.removeFirst(bytes.count)
      return bytes
    }
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = bytes.withUnsafeMutableBytes { recv(number, $0.baseAddress, $0.count, 0) }
    guard count >= 0 else { throw Failure(description: "recv: errno \(errno)") }
    return Array(bytes[..<count])
  }

  /// Reads everything up to the end of the stream. Fails if the connection is reset.
  package func receiveToEnd() throws -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let bytes = try receive()
      if bytes.isEmpty { return all }
      all += bytes
    }
  }

  /// Reads one response with the length given in its Content-Length.
  /// - Parameter toHead: whether the response is to a HEAD request and therefore has no body.
  package func readResponse(toHead: Bool = false) throws -> Answer {
    var bytes: [UInt8] = []
    let end = Array("\r\n\r\n".utf8)
    var headEnd: Int?
    while headEnd == nil {
      let more = try receive()
      guard !more.isEmpty else {
        throw Failure(description: "the connection ended within an answer: \(String(decoding: bytes, as: UTF8.self))")
      }
      let from = max(0, bytes.count - 3)
      bytes += more
      headEnd = (from..<bytes.count).first { bytes[$0...].starts(with: end) }
    }
    let head = String(decoding: bytes[..<headEnd!], as: UTF8.self)
    bytes.removeFirst(headEnd! + 4)
    let lines = head.split(separator: "\r\n")
    guard let first = lines.first, let status = Int(first.dropFirst(9).prefix(3)) else {
      throw Failure(description: "no status line: \(head)")
    }
    let field = lines.first { $0.lowercased().hasPrefix("content-length:") }
    let length = toHead ? 0 : field.flatMap { Int($0.dropFirst(15).drop { $0 == " " }) } ?? 0
    while bytes.count < length {
      let more = try receive(upTo: 1 << 20)
      guard !more.isEmpty else { throw Failure(description: "the connection ended within a body") }
      bytes += more
    }
    unread = Array(bytes[length...]) + unread
    return Answer(status: status, head: head, body: Array(bytes[..<length]))
  }

  /// Closes the sending side. Reading is still possible.
  package func endOutput() { shutdown(number, Int32(SHUT_WR)) }

  /// Ends the connection with a reset, as a killed browser may.
  package func reset() {
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(number, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  package func close() {
    guard number >= 0 else { return }
    _ = Glibc.close(number)
    number = -1
  }

  /// Sends one request over its own connection and reads the response.
  package static func get(_ path: String, port: UInt16, overIPv6: Bool = false) throws -> Answer {
    let client = try TestClient(port: port, overIPv6: overIPv6)
    try client.request(path)
    return try client.readResponse()
  }
}
