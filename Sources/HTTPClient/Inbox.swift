internal import CCurl
internal import Platform

/// What other threads ask of the client's thread, and the wake-up that makes it look.
@safe
final class Inbox: Sendable {
  enum Order {
    case begin(Transfer, ticket: Int)
    case cancel(ticket: Int)
    case stop
  }

  /// What became of an order to begin.
  enum Begun {
    case accepted(ticket: Int)
    /// The same, and there is no thread yet: the caller starts one.
    case first(ticket: Int)
    /// The client has stopped.
    case closed
  }

  private struct State {
    var orders: [Order] = []
    var lastTicket = 0
    var isClosed = false
    var hasThread = false
    /// The address of the `CURLM *`, once the thread has made it. Only `curl_multi_wakeup` may be called on it from other
    /// threads, and only that is.
    var multi: UInt?
  }

  private let state = Locked(State())

  deinit {
    guard let multi = state.withLock({ $0.multi }) else { return }
    unsafe curl_multi_cleanup(UnsafeMutableRawPointer(bitPattern: multi))
  }

  /// - Returns: among others the ticket by which the transfer can be given up.
  func begin(_ transfer: sending Transfer) -> Begun {
    let transfer = Handover(transfer)
    let begun: Begun = state.withLock { state in
      if state.isClosed { return .closed }
      state.lastTicket += 1
      state.orders.append(.begin(transfer.value, ticket: state.lastTicket))
      defer { state.hasThread = true }
      return state.hasThread ? .accepted(ticket: state.lastTicket) : .first(ticket: state.lastTicket)
    }
    wake()
    return begun
  }

  func cancel(_ ticket: Int) {
    state.withLock { $0.orders.append(.cancel(ticket: ticket)) }
    wake()
  }

  func stop() {
    state.withLock { state in
      state.isClosed = true
      state.orders.append(.stop)
    }
    wake()
  }

  // MARK: For the client's thread

  func takeAll() -> [Order] {
    state.withLock { state in
      defer { state.orders = [] }
      return Handover(state.orders)
    }.value
  }

  /// What is left of the orders when the thread ends before it could work; the next order is the first one again.
  func giveUpThread() -> [Order] {
    state.withLock { state in
      defer { state.orders = [] }
      state.hasThread = false
      return Handover(state.orders)
    }.value
  }

  /// The `CURLM *`, which lives as long as the inbox. libcurl must have been started.
  func makeMulti() -> UnsafeMutableRawPointer {
    guard let multi = unsafe curl_multi_init() else { fatalError("libcurl has no memory for a multi handle") }
    // Connections kept for the next request: a few hosts at a time, each asked again within minutes.
    _ = unsafe ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 16)
    let address = UInt(bitPattern: multi)
    state.withLock { $0.multi = address }
    return unsafe multi
  }

  /// Where there is nothing to wake yet, the thread looks before it sleeps for the first time.
  private func wake() {
    guard let multi = state.withLock({ $0.multi }) else { return }
    unsafe curl_multi_wakeup(UnsafeMutableRawPointer(bitPattern: multi))
  }
}

/// Carries a value from the thread that made it to the one that uses it.
// Sendable because there is one owner at a time: the sender never touches the value again.
private struct Handover<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
