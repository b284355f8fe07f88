internal import HTTP
internal import Platform

/// The life of one connection as a value: events in, actions out. It knows no socket, no queue and no clock.
///
/// One request is worked on at a time, and what a client sends behind it waits, so that answers leave in the order of their
/// requests (RFC 9112 §9.3.2). After the last answer the output ends first and the input is read to its end, so that
/// a client never loses the answer to a reset (RFC 9112 §9.6).
struct ConnectionState {
  enum Event {
    /// Bytes were read.
    case received([UInt8])
    /// The peer sends no more.
    case inputEnded
    /// Reading or writing failed.
    case broken
    /// The answer to the request that was handed out; `closing` if the connection shall end with it.
    case answered(Response, closing: Bool, date: FieldValue?)
    /// The same, but the content follows piece by piece.
    case streamed(Response, closing: Bool, date: FieldValue?)
    /// A piece of the content of the answer that was begun.
    case content([UInt8])
    /// That was the last piece.
    case contentEnded
    /// The socket took this many bytes of `output`.
    case wrote(Int)
    /// `due` may have come.
    case rang
    /// No further request is wanted.
    case stopped
  }

  enum Action: Equatable {
    /// Have this answered; `answered` follows once.
    case handle(Request)
    /// Write from `output`; `wrote` follows as the socket takes it.
    case write
    /// The whole answer to the request handed out last was taken by the socket.
    case delivered
    /// Say to the peer that no more will come.
    case endOutput
    /// Let go of the connection. Nothing follows.
    case close
  }

  private enum Phase {
    case reading
    case answering(Request)
    case writing(closing: Bool)
    /// `read`: how many bytes came meanwhile, of a request that must wait.
    case streaming(StreamFraming, closing: Bool, read: Int)
    case lingering(read: Int)
    case closed
  }

  /// The most that is read and dropped after the last answer: more is no client that just did not know yet.
  private static let lingerLimit = 256 * 1024
  /// The most that is kept for a client that does not read its stream: beyond that it is no slow one but a dead one.
  static let streamLimit = 1024 * 1024
  /// The most that a client may send while a stream is open. Reading cannot wait for the stream's end, since its end
  /// of file is the only word of a client that went away.
  static let earlyLimit = 64 * 1024

  private let deadlines: ConnectionDeadlines
  private var parser: RequestParser
  private var phase = Phase.reading
  private var isStopping = false
  /// What is to be written.
  private(set) var output: ArraySlice<UInt8> = []
  /// When `rang` is wanted; nil while only the answer is waited for.
  private(set) var due: BootInstant?

  init(limits: RequestParser.Limits, deadlines: ConnectionDeadlines, at now: BootInstant) {
    self.deadlines = deadlines
    parser = RequestParser(limits: limits)
    due = now + deadlines.request
  }

  /// Whether reading makes sense now.
  var wantsInput: Bool {
    switch phase {
    case .reading, .streaming, .lingering: true
    case .answering, .writing, .closed: false
    }
  }

  var isClosed: Bool { if case .closed = phase { true } else { false } }

  /// Whether pieces of an answer are wanted.
  var isStreaming: Bool { if case .streaming = phase { true } else { false } }

  var standing: ConnectionStanding {
    switch phase {
    case .reading: parser.isIdle ? .silent : .halfSent
    case .answering, .writing, .streaming: .busy
    case .lingering, .closed: .leaving
    }
  }

  /// Takes an event in; the actions are to be carried out in their order.
  mutating func handle(_ event: Event, at now: BootInstant) -> [Action] {
    switch (event, phase) {
    case (_, .closed): []
    case (.broken, _): close()
    case (.received(let bytes), .reading): receive(bytes, at: now)
    case (.received(let bytes), .lingering(let read)): drop(bytes.count, after: read)
    case (.received(let bytes), .streaming(let framing, let closing, let read)):
      put(aside: bytes, after: read, framing, closing: closing)
    case (.received, _): preconditionFailure("input was read that is not wanted")
    case (.inputEnded, _): close()
    case (.answered(let response, let closing, let date), .answering(let request)):
      respond(request, with: response, closing: closing, date: date, at: now)
    case (.streamed(let response, let closing, let date), .answering(let request)):
      stream(request, with: response, closing: closing, date: date, at: now)
    case (.answered, _), (.streamed, _): preconditionFailure("an answer without a request")
    case (.content(let piece), .streaming(let framing, _, _)): send(framing.framed(piece), at: now)
    case (.contentEnded, .streaming(let framing, let closing, _)): endStream(framing, closing: closing, at: now)
    case (.content, _), (.contentEnded, _): preconditionFailure("content without an open stream")
    case (.wrote(let count), _): advanceOutput(by: count, at: now)
    case (.rang, _): if let due, due <= now { expire(at: now) } else { [] }
    case (.stopped, _): stop()
    }
  }

  private mutating func close() -> [Action] {
    phase = .closed
    due = nil
    output = []
    return [.close]
  }

  private mutating func receive(_ bytes: [UInt8], at now: BootInstant) -> [Action] {
    parser.feed(bytes)
    return parse(at: now)
  }

  /// Goes on with what was read already.
  private mutating func parse(at now: BootInstant) -> [Action] {
    var actions: [Action] = []
    while true {
      switch parser.next() {
      case .incomplete: return actions
      case .continueExpected:
        put(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        actions.append(.write)
      case .request(let request):
        phase = .answering(request)
        due = nil
        return actions + [.handle(request)]
      case .refused(let refusal):
        return actions + say(Response(refusal), at: now)
      }
    }
  }

  private mutating func put(_ bytes: [UInt8]) {
    if output.isEmpty { output = bytes[...] } else { output.append(contentsOf: bytes) }
  }

  /// Answers what is no request, and ends.
  private mutating func say(_ response: Response, at now: BootInstant) -> [Action] {
    put(response.serialized(for: nil, closing: true))
    phase = .writing(closing: true)
    due = now + deadlines.write
    return [.write]
  }

  private mutating func respond(
    _ request: Request, with response: Response, closing: Bool, date: FieldValue?, at now: BootInstant
  ) -> [Action] {
    let closing = closing || isStopping || !request.keepsAlive
    put(response.serialized(for: request, closing: closing, date: date))
    phase = .writing(closing: closing)
    due = now + deadlines.write
    return [.write]
  }

  /// Begins an answer; one that can have no content is whole with its head.
  private mutating func stream(
    _ request: Request, with response: Response, closing: Bool, date: FieldValue?, at now: BootInstant
  ) -> [Action] {
    let framing = StreamFraming(of: response, to: request)
    let closing = closing || isStopping || !request.keepsAlive || framing == .untilClose
    put(response.serializedHead(for: request, framing: framing, closing: closing, date: date))
    phase = framing == .none ? .writing(closing: closing) : .streaming(framing, closing: closing, read: 0)
    due = now + deadlines.write
    return [.write]
  }

  private mutating func send(_ bytes: [UInt8], at now: BootInstant) -> [Action] {
    guard !bytes.isEmpty else { return [] }
    guard output.count + bytes.count <= Self.streamLimit else { return close() }
    // What already waits has its deadline; only progress puts that off.
    if output.isEmpty { due = now + deadlines.write }
    put(bytes)
    return [.write]
  }

  private mutating func endStream(_ framing: StreamFraming, closing: Bool, at now: BootInstant) -> [Action] {
    if output.isEmpty { due = now + deadlines.write }
    put(framing.end)
    phase = .writing(closing: closing)
    return output.isEmpty ? advanceOutput(by: 0, at: now) : [.write]
  }

  private mutating func put(
    aside bytes: [UInt8], after read: Int, _ framing: StreamFraming, closing: Bool
  ) -> [Action] {
    guard read + bytes.count <= Self.earlyLimit else { return close() }
    parser.feed(bytes)
    phase = .streaming(framing, closing: closing, read: read + bytes.count)
    return []
  }

  private mutating func advanceOutput(by count: Int, at now: BootInstant) -> [Action] {
    output = output.dropFirst(count)
    if case .streaming = phase {
      if output.isEmpty {
        output = []
        due = nil  // An open stream may be silent for as long as it likes.
      } else if count > 0 {
        due = now + deadlines.write
      }
      return []
    }
    guard case .writing(let closing) = phase else { return [] }  // 100 Continue: the request's deadline goes on.
    guard output.isEmpty else {
      if count > 0 { due = now + deadlines.write }
      return []
    }
    output = []
    if closing || isStopping {
      phase = .lingering(read: 0)
      due = now + deadlines.linger
      return [.delivered, .endOutput]
    }
    phase = .reading
    due = now + deadlines.request
    return [.delivered] + parse(at: now)
  }

  private mutating func drop(_ count: Int, after read: Int) -> [Action] {
    guard read + count <= Self.lingerLimit else { return close() }
    phase = .lingering(read: read + count)
    return []
  }

  private mutating func expire(at now: BootInstant) -> [Action] {
    guard case .reading = phase, !parser.isIdle else { return close() }
    return say(
      Response(status: .requestTimeout, text: "408 Request Timeout: the request did not come to its end"), at: now)
  }

  private mutating func stop() -> [Action] {
    isStopping = true
    if case .reading = phase { return close() }
    return []
  }
}
