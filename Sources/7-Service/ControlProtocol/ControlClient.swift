internal import HTTP
internal import Platform

/// Sends requests to the state owner over its control socket. Each call uses its own connection and blocks until the response is
/// complete.
package final class ControlClient: Sendable {
  /// The size limits of responses, in bytes.
  package struct Limits: Sendable, Hashable {
    /// The size limit for a document or the content of an error response.
    var document = 4 << 20
    /// The size limit for an event's line.
    var line = 1 << 20

    init() {}
  }

  /// The path of the owner's control socket.
  let path: String
  private let limits: Limits
  /// Called once for each request if the state owner has not begun to reply after `patience`.
  private let onSilence: (@Sendable () -> Void)?
  private let open = Locked(OpenConnections())

  private struct OpenConnections {
    var connections: [ObjectIdentifier: ControlConnection] = [:]
    var isHungUp = false
  }

  /// How long the state owner may be silent before this is reported.
  private static let patience = Duration.seconds(2)

  /// - Parameter onSilence: called on the thread of a request if no reply has begun after 2 s. The request continues to wait.
  package init(path: String, limits: Limits = Limits(), onSilence: (@Sendable () -> Void)? = nil) {
    self.path = path
    self.limits = limits
    self.onSilence = onSilence
  }

  /// Returns whether any process is listening on the socket.
  package static func isListening(at path: String) -> Bool {
    do throws(ControlClientError) {
      _ = try ControlConnection(to: path, timeout: .milliseconds(100))
      return true
    } catch {
      if case .timedOut = error { return true }
      return false
    }
  }

  /// Sends a request whose response is a document.
  /// - Parameter timeout: the time limit for the whole response.
  func document(of request: some ControlRequest, timeout: Duration) throws(ControlClientError) -> [UInt8] {
    var document: [UInt8] = []
    try ask(request, until: .now + timeout) { bytes throws(ControlClientError) in
      document += bytes
      if document.count > self.limits.document { throw .malformed("the document is too large") }
    }
    return document
  }

  /// Sends a request whose response has no content.
  package func send(_ request: some ControlRequest, timeout: Duration) throws(ControlClientError) {
    try ask(request, until: .now + timeout) { _ throws(ControlClientError) in }
  }

  /// Sends a request and receives all events of its response.
  /// - Parameter handle: called on the calling thread with each event as it arrives, except the last one.
  /// - Returns: the last event.
  package func events(
    of request: some ControlRequest, _ handle: (any ControlEvent) -> Void
  ) throws(ControlClientError) -> EndEvent {
    guard case .events(let types) = type(of: request).response else {
      preconditionFailure("\(type(of: request).route.path) has no events in its response")
    }
    var lines = EventLines(types, limit: limits.line)
    var end: EndEvent?
    try ask(request, until: nil) { bytes throws(ControlClientError) in
      for event in try lines.append(bytes) {
        if end != nil { throw .malformed("an event follows the last one") }
        if let last = event as? EndEvent { end = last } else { handle(event) }
      }
    }
    guard let end else { throw open.withLock { $0.isHungUp } ? .hungUp : .brokenOff }
    return end
  }

  /// Makes all current and later calls throw `.hungUp`. Can be called from any thread.
  package func hangUp() {
    let connections = open.withLock { open in
      open.isHungUp = true
      return Array(open.connections.values)
    }
    for connection in connections { connection.hangUp() }
  }

  // MARK: One exchange

  /// Sends a request and passes the content of the response to a closure as it arrives.
  private func ask(
    _ request: some ControlRequest, until deadline: BootInstant?,
    _ receive: ([UInt8]) throws(ControlClientError) -> Void
  ) throws(ControlClientError) {
    let timeout = deadline.map { min(max($0 - .now, .milliseconds(1)), .seconds(10)) } ?? .seconds(10)
    let connection = try ControlConnection(to: path, timeout: timeout)
    guard
      open.withLock({ open in
        guard !open.isHungUp else { return false }
        open.connections[ObjectIdentifier(connection)] = connection
        return true
      })
    else { throw .hungUp }
    defer { open.withLock { open in open.connections[ObjectIdentifier(connection)] = nil } }
    do throws(ControlClientError) {
      try exchange(request, over: connection, until: deadline, receive)
    } catch {
      if open.withLock({ $0.isHungUp }) { throw .hungUp }
      throw error
    }
  }

  private func exchange(
    _ request: some ControlRequest, over connection: ControlConnection, until deadline: BootInstant?,
    _ receive: ([UInt8]) throws(ControlClientError) -> Void
  ) throws(ControlClientError) {
    // A server that refuses the request may already have closed the connection. The response can still be read.
    let sendingFailed: SystemError?
    do throws(SystemError) {
      try connection.write(request.httpRequest.serialized())
      sendingFailed = nil
    } catch { sendingFailed = error }

    var reader = ResponseReader()
    var refused: [UInt8]?
    var wasAnswered = false
    try awaitReply(connection, until: deadline)
    while !reader.isComplete {
      let bytes = try read(connection, until: deadline)
      if bytes.isEmpty {
        guard wasAnswered else {
          if let sendingFailed, sendingFailed.isBlocked { throw .timedOut(path) }
          throw .unanswered
        }
        guard reader.mayEnd else { throw .brokenOff }
        break
      }
      wasAnswered = true
      let isHeadKnown = reader.head != nil
      let content: [UInt8]
      do throws(ResponseError) { content = try reader.take(bytes) } catch { throw .malformed("\(error)") }
      guard let head = reader.head else { continue }
      if !isHeadKnown {
        if (200..<300).contains(head.status.code) {
          try check(head.headers, head.status, against: type(of: request).response)
        } else {
          refused = []
        }
      }
      if refused == nil {
        if !content.isEmpty { try receive(content) }
      } else {
        refused? += content
        if refused?.count ?? 0 > limits.document { throw .malformed("its refusal is too large") }
      }
    }
    if let head = reader.head, let refused {
      throw .refused(ControlError(status: head.status, body: refused))
    }
  }

  /// Waits until a reply begins, or until the deadline. Reports a long silence.
  private func awaitReply(
    _ connection: ControlConnection, until deadline: BootInstant?
  ) throws(ControlClientError) {
    guard let onSilence else { return }
    let end = BootInstant.now + Self.patience
    if let deadline, deadline < end { return }
    let hasBegun: Bool
    do throws(SystemError) { hasBegun = try connection.waitForInput(until: end) } catch { throw .malformed("\(error)") }
    if !hasBegun { onSilence() }
  }

  private func read(
    _ connection: ControlConnection, until deadline: BootInstant?
  ) throws(ControlClientError) -> [UInt8] {
    let bytes: [UInt8]?
    do throws(SystemError) { bytes = try connection.read(until: deadline) } catch { throw .malformed("\(error)") }
    guard let bytes else { throw .timedOut(path) }
    return bytes
  }

  /// Throws `.malformed` if the server does not use this protocol.
  private func check(
    _ headers: HeaderFields, _ status: StatusCode, against form: ControlResponseForm
  ) throws(ControlClientError) {
    let expected: String
    switch form {
    case .nothing: return
    case .document: expected = "application/json"
    case .events: expected = "application/jsonl"
    }
    let type = headers.first(.contentType) ?? "no type"
    guard type == expected || type.hasPrefix("\(expected);") else {
      throw .malformed("\(status) with content of \(type) instead of \(expected)")
    }
  }
}
