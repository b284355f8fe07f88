import Dispatch
import Glibc
import HTTP
import Platform
import TestSupport

/// A simulated state owner on a real Unix socket, which reads each connection's request and sends scripted
/// bytes.
final class ScriptedOwner: Sendable {
  let path: String
  private let folder = TemporaryFolder()
  private let listener: Int32
  /// Whether a loop is accepting connections. The loop itself closes the listener.
  private let accepted: Bool
  private let isAccepting: Locked<Bool>
  private let queue = DispatchQueue(label: "scripted-owner", attributes: .concurrent)
  private let received = Locked<[Request]>([])
  /// The connections that this owner keeps open.
  private let held = Locked<[Int32]>([])

  enum Step: Sendable {
    case send(String)
    case close
    /// Keeps the connection open without sending more.
    case hold
  }

  /// - Parameters:
  ///   - readsRequest: Whether to read the request before the script begins.
  ///   - accepts: Whether to accept connections; otherwise they remain in the backlog.
  init(_ script: [Step], readsRequest: Bool = true, accepts: Bool = true) throws {
    path = "\(folder.path)/control.socket"
    listener = try UnixSocket.listening(at: path)
    accepted = accepts
    isAccepting = Locked(accepts)
    guard accepts else { return }
    let (listener, queue, received, held, isAccepting) = (listener, queue, received, held, isAccepting)
    queue.async { @Sendable in
      while true {
        let connection = BlockingConnection.accepted(from: listener)
        if connection == -1 {
          // The loop itself closes the listener. By now, another test's owner could have the same descriptor number,
          // and would lose connections.
          return isAccepting.withLock { accepts in
            accepts = false
            _ = close(listener)
          }
        }
        queue.async { @Sendable in
          if readsRequest, let request = Self.request(from: connection) { received.withLock { $0.append(request) } }
          Self.follow(script, on: connection, held)
        }
      }
    }
  }

  deinit {
    isAccepting.withLock { accepts in
      if accepts { _ = shutdown(listener, Int32(SHUT_RDWR)) }
    }
    if !accepted { _ = close(listener) }
    for connection in held.withLock({ $0 }) { _ = close(connection) }
  }

  var requests: [Request] { received.withLock { $0 } }

  private static func request(from connection: Int32) -> Request? {
    var parser = RequestParser(limits: .control)
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      if case .request(let request) = parser.next() { return request }
      let count = recv(connection, &bytes, bytes.count, 0)
      if count <= 0 { return nil }
      parser.feed(bytes[..<count])
    }
  }

  private static func follow(_ script: [Step], on connection: Int32, _ held: Locked<[Int32]>) {
    for step in script {
      switch step {
      case .send(let text):
        let bytes = Array(text.utf8)
        var done = 0
        while done < bytes.count {
          let count = bytes.withUnsafeBytes {
            send(connection, $0.baseAddress! + done, $0.count - done, Int32(MSG_NOSIGNAL))
          }
          if count <= 0 { break }
          done += count
        }
      case .close:
        _ = close(connection)
        return
      case .hold:
        held.withLock { $0.append(connection) }
        return
      }
    }
    _ = close(connection)
  }
}
