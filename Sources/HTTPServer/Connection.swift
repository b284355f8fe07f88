internal import Dispatch
internal import Glibc
internal import HTTP
internal import Platform

/// A connected socket of any family that carries out what its `ConnectionState` says.
// Sendable because everything in it is touched on `queue` only, which `handle` asserts.
final class Connection: @unchecked Sendable {
  /// Whom a connection tells about itself, on its queue.
  struct Reports: Sendable {
    let handle: @Sendable (Request, Exchange) -> Void
    /// After each event: the state may have another standing or be due at another time.
    let changed: @Sendable (Connection) -> Void
    /// The descriptor is closed; the last report.
    let closed: @Sendable (Connection) -> Void
    let date: @Sendable () -> FieldValue?
  }

  let id: Int
  private(set) var state: ConnectionState
  private let queue: DispatchQueue
  private let sockets: ReadySockets
  private let input: InputBuffer
  private let reports: Reports
  /// Nil once closed.
  private var descriptor: Descriptor?
  /// What the socket is watched for.
  private var held = ReadySockets.Interest.none
  private var isReported = false
  /// Who wants to know about the answer that is on its way.
  private var delivered: (@Sendable (Bool) -> Void)?
  /// How many requests were handed out.
  private var handed = 0
  /// Of which of them the answer is an open stream: pieces for another one come too late.
  private var streaming: Int?

  /// - Parameter input: shared by all connections of the queue.
  init(
    id: Int, owning descriptor: consuming Descriptor, state: ConnectionState, on queue: DispatchQueue,
    among sockets: ReadySockets, input: InputBuffer, _ reports: Reports
  ) {
    self.id = id
    self.descriptor = consume descriptor
    self.state = state
    self.queue = queue
    self.sockets = sockets
    self.input = input
    self.reports = reports
  }

  /// Begins to read. Mostly the request has come by now, and nothing needs to be watched.
  func start() {
    readable()
    settle()
  }

  /// The socket is ready for something.
  func wake(for ready: ReadySockets.Interest) {
    if ready.input, held.input { readable() }
    if ready.output, held.output, let event = write() { handle(event) }
  }

  /// Takes an event in, carries out what follows from it, and reports.
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

  /// Lets go of the connection whatever its state.
  func abort() { handle(.broken) }

  /// - Returns: the event that the action led to at once.
  private func perform(_ action: ConnectionState.Action) -> ConnectionState.Event? {
    switch action {
    case .handle(let request): return hand(request)
    case .write: return write()
    case .delivered: tell(true)
    case .endOutput: if let number = descriptor?.number { StreamSocket.endOutput(of: number) }
    case .close: close()
    }
    return nil
  }

  private func hand(_ request: Request) -> ConnectionState.Event? {
    handed += 1
    let number = handed
    // It is busy now, also where the answer is out before the next look at it: its silence counts anew behind that.
    reports.changed(self)
    let prompt = ImmediateResponse { [queue] response in queue.async { self.respond(response, to: number) } }
    let exchange = Exchange.Outlet(
      respond: { prompt.respond($0) },
      step: { [queue] step in queue.async { self.advance(number, by: step) } })
    reports.handle(request, Exchange(exchange))
    return prompt.handedOver().map { event(of: $0, to: number) }
  }

  private func respond(_ response: Exchange.Answer, to number: Int) {
    guard descriptor != nil, state.standing == .busy else {
      response.delivered?(false)  // The connection was closed meanwhile.
      return
    }
    handle(event(of: response, to: number))
  }

  private func event(of response: Exchange.Answer, to number: Int) -> ConnectionState.Event {
    delivered = response.delivered
    if response.isStream { streaming = number }
    return response.isStream
      ? .streamed(response.response, closing: response.closing, date: reports.date())
      : .answered(response.response, closing: response.closing, date: reports.date())
  }

  private func advance(_ number: Int, by step: ResponseStream.Step) {
    guard streaming == number, state.isStreaming else { return }
    switch step {
    case .content(let piece): handle(.content(piece))
    case .end: handle(.contentEnded)
    case .abandoned: abort()
    }
  }

  private func tell(_ success: Bool) {
    streaming = nil
    let delivered = delivered.take()
    delivered?(success)
  }

  private func readable() {
    guard state.wantsInput, let number = descriptor?.number else { return }
    switch input.receive(from: number) {
    case .bytes(let bytes): handle(.received(bytes))
    case .ended: handle(.inputEnded)
    case .failed: handle(.broken)
    case .blocked: break
    }
  }

  /// Writes what the socket takes now.
  private func write() -> ConnectionState.Event? {
    guard let number = descriptor?.number, !state.output.isEmpty else { return nil }
    guard let count = StreamSocket.send(state.output, to: number) else { return .broken }
    return count == 0 ? nil : .wrote(count)
  }

  /// Has the socket watched for what the state wants, and reports.
  private func settle() {
    if let number = descriptor?.number {
      let wish = ReadySockets.Interest(input: state.wantsInput, output: !state.output.isEmpty)
      held = sockets.watch(number, as: id, wish, now: held)
      // Without room in the kernel nobody would hear of it again.
      if held != wish { return abort() }
      reports.changed(self)
    } else if !isReported {
      isReported = true
      reports.changed(self)
      reports.closed(self)
    }
  }

  private func close() {
    // The kernel watches it no more with the last descriptor; a child that is being started may have a copy for a moment.
    descriptor = nil
    tell(false)
  }
}

/// The answer to one request on its way back to its connection, which may come while the handler still runs.
///
/// What is answered while the handler still runs is carried out right behind it, on the queue that it runs on anyway; everything
/// later comes by way of the queue. In neither case does a handler run inside of another event.
final class ImmediateResponse: Sendable {
  private struct State {
    var isHanding = true
    var response: Exchange.Answer?
  }

  private let state = Locked(State())
  private let later: @Sendable (Exchange.Answer) -> Void

  /// - Parameter later: brings an answer to the queue.
  init(later: @escaping @Sendable (Exchange.Answer) -> Void) { self.later = later }

  /// From any thread.
  func respond(_ response: Exchange.Answer) {
    let isTaken = state.withLock { state in
      if state.isHanding { state.response = response }
      return state.isHanding
    }
    if !isTaken { later(response) }
  }

  /// The handler has returned.
  /// - Returns: what it has answered.
  func handedOver() -> Exchange.Answer? {
    state.withLock { state in
      state.isHanding = false
      return state.response.take()
    }
  }
}

/// Where a server's connections are read into, one after the other, so that none of them holds more than what has come.
@safe final class InputBuffer {
  /// The largest head of a request in one go.
  private static let size = 16384
  private let bytes: UnsafeMutableRawBufferPointer

  init() { unsafe bytes = .allocate(byteCount: Self.size, alignment: 16) }

  deinit { unsafe bytes.deallocate() }

  /// Reads what is there (recv(2)), at most 16 KiB.
  func receive(from number: Int32) -> StreamSocket.Received {
    do throws(SystemError) {
      let count = try check("recv") { unsafe recv(number, bytes.baseAddress, bytes.count, 0) }
      return count == 0 ? .ended : .bytes(unsafe [UInt8](bytes[..<count]))
    } catch { return error.isBlocked ? .blocked : .failed }
  }
}
