internal import HTTP
internal import Platform

/// The state machine of one connection: it receives events and returns actions, without access to sockets, queues or clocks.
///
/// The server processes one request at a time. Pipelined requests wait, so responses are sent in the order of the requests (RFC 9112
/// §9.3.2). After the last response, the server first closes its sending side and then reads until the client closes (RFC 9112 §9.6).
/// Otherwise, a connection reset could destroy the response before the client has read it.
struct ConnectionState {
  enum Event {
    /// Bytes were read.
    case received([UInt8])
    /// The peer will not send any more bytes.
    case inputEnded
    /// Reading or writing failed.
    case broken
    /// The limit of the content of the request in `admit` was decided.
    case admitted(ContentLimit)
    /// The file is open or the piece is stored; the next part of the content may follow.
    case stored
    /// So much of the content was read that the handler is to answer without the rest.
    case sufficed
    /// The content could not be stored.
    case notStored(RequestError)
    /// The handler responded to the current request. `closing` requests that the connection be closed afterwards. `file` replaces the
    /// response's body.
    case answered(Response, file: FileBody? = nil, closing: Bool, date: FieldValue?)
    /// The handler started a response whose content follows in pieces.
    case streamed(Response, closing: Bool, date: FieldValue?)
    /// A piece of a streamed response's content.
    case content([UInt8])
    /// The streamed response is complete.
    case contentEnded
    /// The socket accepted this many bytes of `output`.
    case wrote(Int)
    /// The deadline in `due` may have passed.
    case deadlineReached
    /// The server is stopping; no further requests are accepted.
    case stopped
  }

  enum Action: Equatable {
    /// Decide how much content the request with this head may have. The event `admitted` follows.
    case admit(Request)
    /// Open a file for content that is too long for memory. `stored` or `notStored` follows.
    case openFile(length: Int?)
    /// Append to the file. `stored` or `notStored` follows.
    case store([UInt8])
    /// Pass this request to the handler. The event `answered` or `streamed` follows once.
    case handle(Request)
    /// Write from `output` and then from `file`. The event `wrote` follows as the socket accepts bytes.
    case write
    /// Report that the socket accepted the complete response to the current request.
    case delivered
    /// Close the sending side of the socket.
    case endOutput
    /// Close the connection. No events follow.
    case close
  }

  private enum Phase {
    case reading
    case answering(Request)
    case writing(closing: Bool)
    /// `read` is the number of bytes received since the response began, which belong to the next request.
    case streaming(StreamFraming, closing: Bool, read: Int)
    case lingering(read: Int)
    case closed
  }

  /// The maximum number of bytes read and discarded after the last response, and after content was refused: a browser does not read the
  /// refusal before it has sent most of its content.
  private static let lingerLimit = 256 * 1024
  private static let refusedContentLimit = 1024 * 1024 * 1024
  /// The maximum number of bytes buffered for a client that does not read its stream. A client that exceeds it is assumed to be dead.
  static let streamLimit = 1024 * 1024
  /// The maximum number of bytes a client may send while a stream is open. The server keeps reading during a stream, because only the end
  /// of the input shows that the client has closed the connection.
  static let earlyLimit = 64 * 1024

  private let deadlines: ConnectionDeadlines
  private let refusal: @Sendable (RequestError) -> Response
  private var parser: RequestParser
  private var phase = Phase.reading
  private var isStopping = false
  private var lingerLimit = Self.lingerLimit
  /// The head of the last request that has content.
  private var admitted: Request?
  /// Whether the content of the current request goes into a file.
  private var isStoring = false
  /// The bytes waiting to be written.
  private(set) var output: ArraySlice<UInt8> = []
  /// The file to be sent after `output`.
  private(set) var file: FileBody.Rest?
  /// When `deadlineReached` is due; nil while the handler is working.
  private(set) var due: BootInstant?

  /// - Parameters:
  ///   - asksForLimits: whether `admit` is returned for requests with content.
  ///   - refusal: see `ServerConfiguration.refusal`.
  init(
    limits: RequestParser.Limits, asksForLimits: Bool = false, deadlines: ConnectionDeadlines,
    refusal: @escaping @Sendable (RequestError) -> Response = { Response($0) }, at now: BootInstant
  ) {
    self.deadlines = deadlines
    self.refusal = refusal
    parser = RequestParser(limits: limits, asksForLimits: asksForLimits)
    due = now + deadlines.request
  }

  /// Whether the socket should be watched for input.
  var wantsInput: Bool {
    switch phase {
    case .reading, .streaming, .lingering: true
    case .answering, .writing, .closed: false
    }
  }

  /// Whether the socket should be watched for output.
  var wantsOutput: Bool { !output.isEmpty || file != nil }

  var isClosed: Bool { if case .closed = phase { true } else { false } }

  /// Whether a streamed response is in progress.
  var isStreaming: Bool { if case .streaming = phase { true } else { false } }

  var activity: ConnectionActivity {
    switch phase {
    case .reading: parser.isIdle ? .idle : .partialRequest
    case .answering, .writing, .streaming: .busy
    case .lingering, .closed: .closing
    }
  }

  /// The request whose content is incomplete; see `RequestParser.partial`.
  var partial: (request: Request, missing: Int)? {
    guard case .reading = phase else { return nil }
    return parser.partial
  }

  /// Processes an event. The returned actions must be carried out in order.
  mutating func handle(_ event: Event, at now: BootInstant) -> [Action] {
    switch (event, phase) {
    case (_, .closed): []
    case (.broken, _): close()
    case (.received(let bytes), .reading): receive(bytes, at: now)
    case (.admitted(let limit), .reading): admit(limit, at: now)
    case (.stored, .reading): parse(at: now)
    case (.sufficed, .reading): cutContent()
    case (.notStored(let error), .reading): refuse(refusal(error), at: now)
    case (.admitted, _), (.stored, _), (.sufficed, _), (.notStored, _):
      preconditionFailure("content without a request being read")
    case (.received(let bytes), .lingering(let read)): discard(bytes.count, after: read)
    case (.received(let bytes), .streaming(let framing, let closing, let read)):
      buffer(bytes, after: read, framing, closing: closing)
    case (.received, _): preconditionFailure("input was read in a phase that does not accept any")
    case (.inputEnded, _): close()
    case (.answered(let response, let file, let closing, let date), .answering(let request)):
      respond(request, with: response, file, closing: closing, date: date, at: now)
    case (.streamed(let response, let closing, let date), .answering(let request)):
      stream(request, with: response, closing: closing, date: date, at: now)
    case (.answered, _), (.streamed, _): preconditionFailure("a response without a request")
    case (.content(let piece), .streaming(let framing, _, _)): send(framing.framed(piece), at: now)
    case (.contentEnded, .streaming(let framing, let closing, _)): endStream(framing, closing: closing, at: now)
    case (.content, _), (.contentEnded, _): preconditionFailure("content without a streamed response")
    case (.wrote(let count), _): advanceOutput(by: count, at: now)
    case (.deadlineReached, _): if let due, due <= now { expire(at: now) } else { [] }
    case (.stopped, _): stop()
    }
  }

  private mutating func close() -> [Action] {
    phase = .closed
    due = nil
    output = []
    file = nil
    return [.close]
  }

  private mutating func receive(_ bytes: [UInt8], at now: BootInstant) -> [Action] {
    parser.feed(bytes)
    if isStoring { due = now + deadlines.content }
    return parse(at: now)
  }

  private mutating func admit(_ limit: ContentLimit, at now: BootInstant) -> [Action] {
    parser.admit(limit)
    return parse(at: now)
  }

  /// Continues parsing buffered input.
  private mutating func parse(at now: BootInstant) -> [Action] {
    var actions: [Action] = []
    while true {
      switch parser.next() {
      case .incomplete: return actions
      case .head(let request):
        admitted = request
        return actions + [.admit(request)]
      case .contentBegan(let length):
        isStoring = true
        due = now + deadlines.content
        return actions + [.openFile(length: length)]
      case .content(let piece): return actions + [.store(piece)]
      case .continueExpected:
        enqueue(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        actions.append(.write)
      case .request(let request): return actions + answer(request)
      case .refused(let error):
        return actions + refuse(refusal(error), at: now)
      }
    }
  }

  private mutating func answer(_ request: Request) -> [Action] {
    phase = .answering(request)
    admitted = nil
    isStoring = false
    due = nil
    return [.handle(request)]
  }

  /// Ends the current request in the middle of its content. The parser gets no more input.
  private mutating func cutContent() -> [Action] {
    guard var request = admitted else { preconditionFailure("content without a request") }
    request.announcesBody = true
    lingerLimit = Self.refusedContentLimit
    return answer(request)
  }

  private mutating func enqueue(_ bytes: [UInt8]) {
    if output.isEmpty { output = bytes[...] } else { output.append(contentsOf: bytes) }
  }

  /// Sends an error response to invalid input and closes the connection.
  private mutating func refuse(_ response: Response, at now: BootInstant) -> [Action] {
    if [.contentTooLarge, .insufficientStorage].contains(response.status) { lingerLimit = Self.refusedContentLimit }
    enqueue(response.serialized(for: nil, closing: true))
    phase = .writing(closing: true)
    due = now + deadlines.write
    return [.write]
  }

  private mutating func respond(
    _ request: Request, with response: Response, _ body: FileBody?, closing: Bool, date: FieldValue?,
    at now: BootInstant
  ) -> [Action] {
    let closing = closing || isStopping || !request.keepsAlive
    if let body {
      enqueue(response.serializedHead(for: request, length: body.length, closing: closing, date: date))
      let rest = FileBody.Rest(of: body)
      file = request.method == .head || response.status.excludesBody || rest.isEmpty ? nil : rest
    } else {
      enqueue(response.serialized(for: request, closing: closing, date: date))
    }
    phase = .writing(closing: closing)
    due = now + deadlines.write
    return [.write]
  }

  /// Starts a streamed response. A response that cannot have content is complete after its head.
  private mutating func stream(
    _ request: Request, with response: Response, closing: Bool, date: FieldValue?, at now: BootInstant
  ) -> [Action] {
    let framing = response.framing(to: request)
    let closing = closing || isStopping || !request.keepsAlive || framing == .untilClose
    enqueue(response.serializedHead(for: request, framing: framing, closing: closing, date: date))
    phase = framing == .none ? .writing(closing: closing) : .streaming(framing, closing: closing, read: 0)
    due = now + deadlines.write
    return [.write]
  }

  private mutating func send(_ bytes: [UInt8], at now: BootInstant) -> [Action] {
    guard !bytes.isEmpty else { return [] }
    guard output.count + bytes.count <= Self.streamLimit else { return close() }
    // Bytes that are already waiting keep their deadline; only progress extends it.
    if output.isEmpty { due = now + deadlines.write }
    enqueue(bytes)
    return [.write]
  }

  private mutating func endStream(_ framing: StreamFraming, closing: Bool, at now: BootInstant) -> [Action] {
    if output.isEmpty { due = now + deadlines.write }
    enqueue(framing.end)
    phase = .writing(closing: closing)
    return output.isEmpty ? advanceOutput(by: 0, at: now) : [.write]
  }

  private mutating func buffer(
    _ bytes: [UInt8], after read: Int, _ framing: StreamFraming, closing: Bool
  ) -> [Action] {
    guard read + bytes.count <= Self.earlyLimit else { return close() }
    parser.feed(bytes)
    phase = .streaming(framing, closing: closing, read: read + bytes.count)
    return []
  }

  private mutating func advanceOutput(by count: Int, at now: BootInstant) -> [Action] {
    if output.isEmpty {
      file?.advance(by: count)
      if file?.isEmpty == true { file = nil }
    } else {
      output = output.dropFirst(count)
    }
    if case .streaming = phase {
      if output.isEmpty {
        output = []
        due = nil  // An idle stream has no deadline.
      } else if count > 0 {
        due = now + deadlines.write
      }
      return []
    }
    guard case .writing(let closing) = phase else { return [] }  // 100 Continue: the request's deadline still applies.
    guard !wantsOutput else {
      if count > 0 { due = now + deadlines.write }
      return []
    }
    output = []
    if closing || isStopping {
      phase = .lingering(read: 0)
      due = now + (lingerLimit == Self.lingerLimit ? deadlines.linger : max(deadlines.linger, deadlines.content))
      return [.delivered, .endOutput]
    }
    phase = .reading
    due = now + deadlines.request
    return [.delivered] + parse(at: now)
  }

  private mutating func discard(_ count: Int, after read: Int) -> [Action] {
    guard read + count <= lingerLimit else { return close() }
    phase = .lingering(read: read + count)
    return []
  }

  private mutating func expire(at now: BootInstant) -> [Action] {
    guard case .reading = phase, !parser.isIdle else { return close() }
    return refuse(
      Response(status: .requestTimeout, text: "408 Request Timeout: the request was not completed in time"), at: now)
  }

  private mutating func stop() -> [Action] {
    isStopping = true
    if case .reading = phase { return close() }
    return []
  }
}
