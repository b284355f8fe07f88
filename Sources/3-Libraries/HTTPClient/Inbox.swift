internal import CCurl
internal import Platform

/// The queue of orders for the client's thread. It can also wake the thread.
@safe
final class Inbox: Sendable {
  enum Order {
    case begin(Transfer, ticket: Int)
    case cancel(ticket: Int)
    case stop
  }

  /// The result of `begin(_:)`.
  enum Begun {
    case accepted(ticket: Int)
    /// The order was accepted, and the caller must start the thread.
    case first(ticket: Int)
    /// The client has stopped.
    case closed
  }

  private struct State {
    var orders: [Order] = []
    var lastTicket = 0
    var isClosed = false
    var hasThread = false
    /// The address of the `CURLM *`; nil until the thread has created it. Other threads may only pass it to `curl_multi_wakeup`.
    var multi: UInt?
  }

  private let state = Locked(State())

  deinit {
    guard let multi = state.withLock({ $0.multi }) else { return }
    unsafe curl_multi_cleanup(UnsafeMutableRawPointer(bitPattern: multi))
  }

  /// Adds an order to start a transfer.
  /// - Returns: whether the order was accepted, with the ticket for cancelling the transfer.
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

  /// Returns the remaining orders if the thread has to exit before it has done any work. The next order starts a new thread.
  func giveUpThread() -> [Order] {
    state.withLock { state in
      defer { state.orders = [] }
      state.hasThread = false
      return Handover(state.orders)
    }.value
  }

  /// Creates the `CURLM *`, which exists for as long as the inbox. libcurl must be loaded.
  func makeMulti() -> UnsafeMutableRawPointer {
    guard let multi = unsafe curl_multi_init() else { fatalError("libcurl could not allocate a multi handle") }
    // The maximum number of connections kept for reuse. The client contacts a few hosts, each of them every few minutes.
    _ = unsafe ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 16)
    let address = UInt(bitPattern: multi)
    state.withLock { $0.multi = address }
    return unsafe multi
  }

  /// Wakes the thread. This is not needed before the thread has created the multi handle, because the thread reads the orders before it
  /// sleeps for the first time.
  private func wake() {
    guard let multi = state.withLock({ $0.multi }) else { return }
    unsafe curl_multi_wakeup(UnsafeMutableRawPointer(bitPattern: multi))
  }
}

/// Transfers a value from one thread to another.
// Sendable because the sender never uses the value again.
private struct Handover<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
