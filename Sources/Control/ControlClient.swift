internal import HTTP
internal import Platform

/// Asks the owner of the state over its control socket. Every call waits for its answer; each request has its own connection.
package final class ControlClient: Sendable {
  /// How much of an answer is taken, in bytes.
  package struct Limits: Sendable, Hashable {
    /// Of a document, or of a refusal.
    package var document = 4 << 20
    /// Of one event's line.
    package var line = 1 << 20

    package init() {}
  }

  /// Where the owner listens.
  let path: String
  private let limits: Limits
  private let open = Locked(OpenConnections())

  private struct OpenConnections {
    var connections: [ObjectIdentifier: ControlConnection] = [:]
    var isHungUp = false
  }

  package init(path: String, limits: Limits = Limits()) {
    self.path = path
    self.limits = limits
  }

  /// Whether somebody listens there, whoever it is.
  package static func isListening(at path: String) -> Bool {
    do throws(ControlClientError) {
      _ = try ControlConnection(to: path, patience: .milliseconds(100))
      return true
    } catch {
      if case .timedOut = error { return true }
      return false
    }
  }

  /// The status of the owner.
  /// - Parameter timeout: for the whole answer.
  package func status(of account: String? = nil, timeout: Duration) throws(ControlClientError) -> ControlStatus {
    var document: [UInt8] = []
    try ask(.status(account: account), until: .now + timeout) { bytes throws(ControlClientError) in
      document += bytes
      if document.count > self.limits.document { throw .malformed("its status is too large") }
    }
    do throws(ControlFormatError) { return try ControlStatus(json: document) } catch { throw .malformed("\(error)") }
  }

  /// Gives a login what the user typed or pasted.
  package func input(_ input: ControlRequest.Input, for login: String, timeout: Duration) throws(ControlClientError) {
    try ask(.input(login: login, input), until: .now + timeout) { _ throws(ControlClientError) in }
  }

  /// Has a job done: a refresh, a login, a logout, a reload.
  /// - Parameter take: called with each event but the last, as it comes, on the thread of the caller.
  /// - Returns: the last one.
  package func events(
    of request: ControlRequest, _ take: (ControlEvent) -> Void
  ) throws(ControlClientError) -> ControlEvent.End {
    var lines = EventLines(limit: limits.line)
    var end: ControlEvent.End?
    try ask(request, until: nil) { bytes throws(ControlClientError) in
      for event in try lines.take(bytes) {
        if end != nil { throw .malformed("an event behind the end") }
        if case .end(let last) = event { end = last } else { take(event) }
      }
    }
    guard let end else { throw open.withLock { $0.isHungUp } ? .hungUp : .brokenOff }
    return end
  }

  /// Ends what is under way, and takes on nothing more: whoever waits is told `.hungUp`. From any thread.
  package func hangUp() {
    let connections = open.withLock { open in
      open.isHungUp = true
      return Array(open.connections.values)
    }
    for connection in connections { connection.hangUp() }
  }

  // MARK: One exchange

  /// Sends a request and hands the content of its answer over as it comes.
  private func ask(
    _ request: ControlRequest, until deadline: BootInstant?,
    _ take: ([UInt8]) throws(ControlClientError) -> Void
  ) throws(ControlClientError) {
    let patience = deadline.map { min(max($0 - .now, .milliseconds(1)), .seconds(10)) } ?? .seconds(10)
    let connection = try ControlConnection(to: path, patience: patience)
    guard
      open.withLock({ open in
        guard !open.isHungUp else { return false }
        open.connections[ObjectIdentifier(connection)] = connection
        return true
      })
    else { throw .hungUp }
    defer { open.withLock { open in open.connections[ObjectIdentifier(connection)] = nil } }
    do throws(ControlClientError) {
      try exchange(request, over: connection, until: deadline, take)
    } catch {
      if open.withLock({ $0.isHungUp }) { throw .hungUp }
      throw error
    }
  }

  private func exchange(
    _ request: ControlRequest, over connection: ControlConnection, until deadline: BootInstant?,
    _ take: ([UInt8]) throws(ControlClientError) -> Void
  ) throws(ControlClientError) {
    // A server that refuses at once may have closed already: its answer is there to be read all the same.
    let sendingFailed: SystemError?
    do throws(SystemError) {
      try connection.write(request.httpRequest.serialized())
      sendingFailed = nil
    } catch { sendingFailed = error }

    var reader = ResponseReader()
    var refused: [UInt8]?
    var wasAnswered = false
    while !reader.isWhole {
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
      do throws(ResponseFault) { content = try reader.take(bytes) } catch { throw .malformed("\(error)") }
      guard let head = reader.head else { continue }
      if !isHeadKnown {
        if (200..<300).contains(head.status.code) {
          try judge(head.headers, head.status, of: request)
        } else {
          refused = []
        }
      }
      if refused == nil {
        if !content.isEmpty { try take(content) }
      } else {
        refused? += content
        if refused?.count ?? 0 > limits.document { throw .malformed("its refusal is too large") }
      }
    }
    if let head = reader.head, let refused {
      throw .refused(ControlRefusal(status: head.status, body: refused))
    }
  }

  private func read(
    _ connection: ControlConnection, until deadline: BootInstant?
  ) throws(ControlClientError) -> [UInt8] {
    let bytes: [UInt8]?
    do throws(SystemError) { bytes = try connection.read(until: deadline) } catch { throw .malformed("\(error)") }
    guard let bytes else { throw .timedOut(path) }
    return bytes
  }

  /// Whoever else listens there must not be taken for an owner.
  private func judge(_ headers: HeaderFields, _ status: StatusCode, of request: ControlRequest)
    throws(ControlClientError)
  {
    let expected: String
    switch request.answerForm {
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

/// Takes the lines of a stream apart as its bytes come, and makes events of them.
struct EventLines {
  private let limit: Int
  /// The line that has no end yet.
  private var rest: [UInt8] = []

  /// - Parameter limit: the most bytes of a line, without its line feed.
  init(limit: Int) { self.limit = limit }

  /// - Returns: the events whose lines are whole now. Empty lines, and events that are not known, are passed over.
  mutating func take(_ bytes: [UInt8]) throws(ControlClientError) -> [ControlEvent] {
    var events: [ControlEvent] = []
    var remaining = bytes[...]
    while let end = remaining.firstIndex(of: UInt8(ascii: "\n")) {
      try add(remaining[..<end])
      remaining = remaining[(end + 1)...]
      if !rest.isEmpty, let event = try event(rest) { events.append(event) }
      rest.removeAll(keepingCapacity: true)
    }
    try add(remaining)
    return events
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>) throws(ControlClientError) {
    guard rest.count + bytes.count <= limit else { throw .malformed("a line of more than \(limit) bytes") }
    rest += bytes
  }

  private func event(_ line: [UInt8]) throws(ControlClientError) -> ControlEvent? {
    do throws(ControlFormatError) { return try ControlEvent(line: line) } catch { throw .malformed("\(error)") }
  }
}
