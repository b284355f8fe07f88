import Dispatch
import Glibc

/// A test server on a free port of 127.0.0.1 that sends arbitrary bytes, for tests of clients.
///
/// Each connection has its own thread and gets one response. The connection ends after the response, or when the server
/// ends.
package final class RawServer: Sendable {
  /// A part of a response. After the last part, the connection is closed normally.
  package enum Step: Sendable {
    case send([UInt8])
    /// The server sends these bytes repeatedly, until it has sent this number of bytes or the client disconnects.
    case flood([UInt8], bytes: Int)
    /// The server sends one byte at a time, with a pause after each byte.
    case drip([UInt8], every: Duration)
    /// The server sends nothing until the client disconnects.
    case stall
    /// The server resets the connection (RST) instead of closing it.
    case reset

    package static func text(_ text: String) -> Step { .send(Array(text.utf8)) }
  }

  /// A request; empty if the server responds without reading it.
  package struct Request: Sendable {
    package let head: String
    package let body: [UInt8]

    /// The path and the query.
    package var target: String { head.split(separator: " ").dropFirst().first.map { String($0) } ?? "" }
    package var path: String { String(target.prefix { $0 != "?" }) }
    /// The parameters of the query, which are not decoded.
    package var query: [String: String] {
      let pairs = target.dropFirst(path.count + 1).split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
      return Dictionary(pairs.map { (String($0[0]), $0.count > 1 ? String($0[1]) : "") }) { first, _ in first }
    }
  }

  package let port: UInt16
  package var base: String { "http://127.0.0.1:\(port)" }
  private let listening: Int32
  private let open = OpenConnections()

  /// - Parameters:
  ///   - listensFirst: whether to read a request before responding. Bytes of another protocol never form a complete
  ///     request.
  ///   - respond: a closure that returns the response. It is called on the connection's thread.
  package init(listensFirst: Bool = true, respond: @escaping @Sendable (Request) -> [Step]) throws {
    let socket = try BoundSocket()
    let number = try socket.handOver()
    (listening, port) = (number, socket.port)
    let open = open
    OwnThread.start {
      while true {
        let connection = BlockingConnection.accepted(from: number)
        guard connection >= 0 else { break }
        guard open.insert(connection) else {
          close(connection)
          break
        }
        OwnThread.start {
          let request = listensFirst ? RawServer.read(from: connection) : Request(head: "", body: [])
          if let request { for step in respond(request) where !RawServer.take(step, on: connection) { break } }
          open.remove(connection)
        }
      }
      // The listener is closed here, after the last accept, because another test can then reuse the descriptor number.
      close(number)
    }
  }

  deinit { stop() }

  /// Ends all connections and accepts no further connections.
  package func stop() {
    // The listener is shut down only once, because another test can reuse the descriptor number.
    if open.endAll() { shutdown(listening, Int32(SHUT_RDWR)) }
  }

  /// - Returns: the request; nil if the client disconnected before its request was complete.
  private static func read(from connection: Int32) -> Request? {
    var patience = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let field = head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
        let length = field.flatMap { Int($0.split(separator: ":")[1].drop { $0 == " " }) } ?? 0
        let body = bytes[end.upperBound...]
        if body.count >= length { return Request(head: head, body: Array(body.prefix(length))) }
      }
      let count = recv(connection, &chunk, chunk.count, 0)
      guard count > 0 else { return nil }
      bytes += chunk[..<count]
    }
  }

  /// - Returns: whether the client is still connected.
  private static func take(_ step: Step, on connection: Int32) -> Bool {
    switch step {
    case .send(let bytes): return send(bytes, to: connection)
    case .flood(let bytes, var left):
      while left > 0 {
        guard send(bytes.count <= left ? bytes : Array(bytes.prefix(left)), to: connection) else { return false }
        left -= bytes.count
      }
      return true
    case .drip(let bytes, let pause):
      for byte in bytes {
        guard send([byte], to: connection) else { return false }
        usleep(UInt32(pause / .microseconds(1)))
      }
      return true
    case .stall:
      var byte: UInt8 = 0
      return recv(connection, &byte, 1, 0) > 0
    case .reset:
      var atOnce = linger(l_onoff: 1, l_linger: 0)
      setsockopt(connection, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
      return false
    }
  }

  private static func send(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress! + done, $0.count - done, Int32(MSG_NOSIGNAL))
      }
      if count == -1, errno == EINTR { continue }
      if count == -1 { return false }
      done += count
    }
    return true
  }
}

/// The connections of a server. Only the connections' own threads close them, so that the server never shuts down a
/// reused descriptor number.
private final class OpenConnections: Sendable {
  private let queue = DispatchQueue(label: "open connections")
  // These variables are accessed only on the queue.
  private nonisolated(unsafe) var numbers: Set<Int32>? = []

  /// - Returns: whether the connection was added; false if the server has ended.
  func insert(_ number: Int32) -> Bool {
    queue.sync {
      numbers?.insert(number)
      return numbers != nil
    }
  }

  func remove(_ number: Int32) {
    queue.sync {
      numbers?.remove(number)
      close(number)
    }
  }

  /// - Returns: whether this was the first call.
  func endAll() -> Bool {
    queue.sync {
      defer { numbers = nil }
      for number in numbers ?? [] { shutdown(number, Int32(SHUT_RDWR)) }
      return numbers != nil
    }
  }
}
