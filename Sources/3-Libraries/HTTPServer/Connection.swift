internal import Dispatch
internal import HTTP
internal import Platform

/// A connected socket, which carries out the actions of its `ConnectionState`.
// Sendable because its state is used only on `queue`; `handle` asserts that.
final class Connection: @unchecked Sendable {
  /// Callbacks, which run on the server's queue.
  struct Reports: Sendable {
    let handle: @Sendable (Request, Exchange) -> Void
    /// Called after each event, because the connection's activity or deadline may have changed.
    let changed: @Sendable (Connection) -> Void
    /// Called last, when the descriptor has been closed.
    let closed: @Sendable (Connection) -> Void
    let date: @Sendable () -> FieldValue?
    /// See `ServerConfiguration.content`.
    var content: (@Sendable (Request) -> ContentRule)?
    /// See `ServerConfiguration.halfway`.
    var halfway: (@Sendable (Request) -> Bool)?
  }

  let id: Int
  private(set) var state: ConnectionState
  private let queue: DispatchQueue
  private let sockets: ReadySockets
  private let input: InputBuffer
  private let pieces: FilePieces
  /// The user at the other end, if it is known.
  private let peer: UInt32?
  private let reports: Reports
  /// The socket; nil after the connection has been closed.
  private var descriptor: Descriptor?
  /// The events that the socket is currently watched for.
  private var watched = ReadySockets.Interest.none
  private var reportedClosed = false
  /// The callback for the delivery of the current response.
  private var delivered: (@Sendable (Bool) -> Void)?
  /// The number of requests passed to the handler.
  private var requestCount = 0
  /// The number of the request whose response is being streamed. Content for any other request is ignored.
  private var streaming: Int?
  /// How the content of the current request is read.
  private var contentRule = ContentRule.none
  /// What receives the content of the current request.
  private var content: ContentReceiver?
  /// Whether the client of the current request waits for permission to send its content.
  private var isAsked = false
  /// Whether half of the current request's content has arrived.
  private var isHalfway = false

  /// - Parameters:
  ///   - input: the buffer shared by all connections of the queue.
  ///   - pieces: the buffer for files shared by all connections of the queue.
  init(
    id: Int, owning descriptor: consuming Descriptor, state: ConnectionState, on queue: DispatchQueue,
    among sockets: ReadySockets, input: InputBuffer, pieces: FilePieces, peer: UInt32?, _ reports: Reports
  ) {
    self.id = id
    self.descriptor = consume descriptor
    self.state = state
    self.queue = queue
    self.sockets = sockets
    self.input = input
    self.pieces = pieces
    self.peer = peer
    self.reports = reports
  }

  /// Starts reading. The first read is immediate, because the request has usually already arrived.
  func start() {
    readable()
    settle()
  }

  /// Handles the socket's readiness.
  func wake(for ready: ReadySockets.Interest) {
    if ready.input, watched.input { readable() }
    if ready.output, watched.output, let event = write() { handle(event) }
  }

  /// Processes an event and the actions and events that result from it.
  func handle(_ event: ConnectionState.Event) {
    dispatchPrecondition(condition: .onQueue(queue))
    var events = [event]
    while !events.isEmpty {
      for action in state.handle(events.removeFirst(), at: .now) {
        if let next = perform(action) { events.append(next) }
      }
    }
    settle()
  }

  /// Closes the connection immediately.
  func abort() { handle(.broken) }

  /// Performs an action.
  /// - Returns: the event that the action caused, if any.
  private func perform(_ action: ConnectionState.Action) -> ConnectionState.Event? {
    switch action {
    case .admit(let head):
      contentRule = reports.content?(head) ?? .none
      isAsked = head.headers.lists("100-continue", in: .expect)
      return .admitted(contentRule.parserLimit)
    case .openFile(let length):
      return store { () throws(RequestError) in
        content = try ContentReceiver(contentRule, length: length, isAsked: isAsked)
        return true
      }
    case .store(let piece): return store { () throws(RequestError) in try content?.append(piece) ?? true }
    case .handle(let request): return dispatch(request)
    case .write: return write()
    case .delivered: reportDelivery(true)
    case .endOutput: if let number = descriptor?.number { StreamSocket.endOutput(of: number) }
    case .close: close()
    }
    return nil
  }

  /// - Parameter step: returns whether more content may follow.
  private func store(_ step: () throws(RequestError) -> Bool) -> ConnectionState.Event {
    do throws(RequestError) { return try step() ? .stored : .sufficed } catch {
      content = nil
      return .notStored(error)
    }
  }

  private func dispatch(_ request: Request) -> ConnectionState.Event? {
    requestCount += 1
    let number = requestCount
    // The busy state is reported even if the handler responds immediately, so that the table counts the idle time from this request on.
    reports.changed(self)
    let immediate = ImmediateResponse { [queue] response in queue.async { self.respond(response, to: number) } }
    let exchange = Exchange.Sink(
      respond: { immediate.respond($0) },
      step: { [queue] step in queue.async { self.advance(number, by: step) } })
    reports.handle(request, Exchange(exchange, peer: peer, content.take()?.finish()))
    return immediate.handlerReturned().map { event(of: $0, to: number) }
  }

  private func respond(_ response: Exchange.Reply, to number: Int) {
    guard descriptor != nil, state.activity == .busy else {
      response.delivered?(false)  // The connection was closed in the meantime.
      return
    }
    handle(event(of: response, to: number))
  }

  private func event(of response: Exchange.Reply, to number: Int) -> ConnectionState.Event {
    delivered = response.delivered
    if response.isStream { streaming = number }
    return response.isStream
      ? .streamed(response.response, closing: response.closing, date: reports.date())
      : .answered(response.response, file: response.file, closing: response.closing, date: reports.date())
  }

  private func advance(_ number: Int, by step: ResponseStream.Step) {
    guard streaming == number, state.isStreaming else { return }
    switch step {
    case .content(let piece): handle(.content(piece))
    case .end: handle(.contentEnded)
    case .abandoned: abort()
    }
  }

  private func reportDelivery(_ success: Bool) {
    streaming = nil
    let delivered = delivered.take()
    delivered?(success)
  }

  private func readable() {
    guard state.wantsInput, let number = descriptor?.number else { return }
    switch input.receive(from: number) {
    case .bytes(let bytes):
      handle(.received(bytes))
      checkHalfway()
    case .ended: handle(.inputEnded)
    case .failed: handle(.broken)
    case .blocked: break
    }
  }

  private func checkHalfway() {
    guard let halfway = reports.halfway else { return }
    guard let partial = state.partial, partial.request.body.count >= partial.missing else {
      isHalfway = false
      return
    }
    guard !isHalfway else { return }
    isHalfway = true
    if halfway(partial.request) { abort() }
  }

  /// Writes as much as the socket accepts.
  private func write() -> ConnectionState.Event? {
    guard let number = descriptor?.number, state.wantsOutput else { return nil }
    let accepted: Int? =
      if let file = state.file, state.output.isEmpty {
        pieces.send(file, to: number)
      } else {
        StreamSocket.send(state.output, to: number)
      }
    guard let accepted else { return .broken }
    return accepted == 0 ? nil : .wrote(accepted)
  }

  /// Updates the events that the socket is watched for, and reports the change.
  private func settle() {
    if let number = descriptor?.number {
      let wanted = ReadySockets.Interest(input: state.wantsInput, output: state.wantsOutput)
      watched = sockets.watch(number, as: id, wanted, current: watched)
      // The kernel could not register the socket, so its events would be lost.
      if watched != wanted { return abort() }
      reports.changed(self)
    } else if !reportedClosed {
      reportedClosed = true
      reports.changed(self)
      reports.closed(self)
    }
  }

  private func close() {
    // The kernel stops watching the socket when its last descriptor is closed. A child that is being started may briefly have a copy.
    descriptor = nil
    content = nil
    reportDelivery(false)
  }
}

/// Collects the response to one request. The response may be given while the handler is still running.
///
/// A response given before the handler returns is processed right after the handler returns, without being enqueued. A later response is
/// enqueued. In both cases, no handler runs while another event is being processed.
final class ImmediateResponse: Sendable {
  private struct State {
    var isHandlerRunning = true
    var response: Exchange.Reply?
  }

  private let state = Locked(State())
  private let later: @Sendable (Exchange.Reply) -> Void

  /// - Parameter later: sends a late response to the queue.
  init(later: @escaping @Sendable (Exchange.Reply) -> Void) { self.later = later }

  /// Receives the response. May be called from any thread.
  func respond(_ response: Exchange.Reply) {
    let isImmediate = state.withLock { state in
      if state.isHandlerRunning { state.response = response }
      return state.isHandlerRunning
    }
    if !isImmediate { later(response) }
  }

  /// Records that the handler has returned.
  /// - Returns: the response that the handler gave, if any.
  func handlerReturned() -> Exchange.Reply? {
    state.withLock { state in
      state.isHandlerRunning = false
      return state.response.take()
    }
  }
}
