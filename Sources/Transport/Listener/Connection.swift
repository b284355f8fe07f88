internal import Dispatch
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
  private let reports: Reports
  /// Nil once closed.
  private var descriptor: Descriptor?
  private var reader: SwitchedSource?
  /// There is none until the socket does not take an answer at once.
  private var writer: SwitchedSource?
  /// How many sources have still to let go of the descriptor.
  private var holds = 0
  /// Who wants to know about the answer that is on its way.
  private var delivered: (@Sendable (Bool) -> Void)?
  /// How many requests were handed out.
  private var handed = 0
  /// Of which of them the answer is an open stream: pieces for another one come too late.
  private var streaming: Int?

  init(
    id: Int, owning descriptor: consuming Descriptor, state: ConnectionState, on queue: DispatchQueue,
    _ reports: Reports
  ) {
    self.id = id
    self.descriptor = consume descriptor
    self.state = state
    self.queue = queue
    self.reports = reports
  }

  /// Begins to read.
  func start() {
    guard let number = descriptor?.number else { return }
    holds += 1
    reader = SwitchedSource(
      DispatchSource.reading(number, on: queue, closing: { self.release() }, { self.readable() }))
    settle()
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
    case .handle(let request): hand(request)
    case .write: return write()
    case .delivered: tell(true)
    case .endOutput: if let number = descriptor?.number { StreamSocket.endOutput(of: number) }
    case .close: close()
    }
    return nil
  }

  private func hand(_ request: Request) {
    handed += 1
    let number = handed
    // By way of the queue also when the answer is given on it, so that no handler runs inside of another event.
    let outlet = Exchange.Outlet(
      answer: { [queue] answer in queue.async { self.answer(answer, to: number) } },
      step: { [queue] step in queue.async { self.advance(number, by: step) } })
    reports.handle(request, Exchange(outlet))
  }

  private func answer(_ answer: Exchange.Answer, to number: Int) {
    guard descriptor != nil, state.standing == .busy else {
      answer.delivered?(false)  // The connection was closed meanwhile.
      return
    }
    delivered = answer.delivered
    if answer.isStream {
      streaming = number
      handle(.streamed(answer.response, closing: answer.closing, date: reports.date()))
    } else {
      handle(.answered(answer.response, closing: answer.closing, date: reports.date()))
    }
  }

  private func advance(_ number: Int, by step: AnswerStream.Step) {
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
    switch StreamSocket.receive(from: number) {
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

  private func writable() {
    if let event = write() { handle(event) }
  }

  /// Brings the sources into the positions that the state wants.
  private func settle() {
    guard holds > 0, let number = descriptor?.number else { return }
    reader?.isOn = state.wantsInput
    if writer == nil, !state.output.isEmpty { writer = makeWriter(of: number) }
    writer?.isOn = !state.output.isEmpty
    reports.changed(self)
  }

  /// The writer watches a duplicate of the descriptor. Dispatch watches each number once for all of its sources, and
  /// stops at a hang-up; where that comes while the reader is off, a writer on the same number would never hear of it.
  private func makeWriter(of number: Int32) -> SwitchedSource {
    holds += 1
    let duplicate = StreamSocket.duplicate(number)
    return SwitchedSource(
      DispatchSource.writing(
        duplicate ?? number, on: queue,
        closing: {
          if let duplicate { _ = Descriptor(owning: duplicate) }  // Closes it.
          self.release()
        },
        { self.writable() }))
  }

  private func close() {
    tell(false)
    reader?.cancel()
    writer?.cancel()
  }

  /// Runs when a source has let go of the descriptor; behind the last one it is closed.
  private func release() {
    holds -= 1
    guard holds == 0 else { return }
    descriptor = nil
    reader = nil
    writer = nil
    reports.closed(self)
  }
}
