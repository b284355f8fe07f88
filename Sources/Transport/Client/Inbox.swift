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

  private struct State {
    var orders: [Order] = []
    var lastTicket = 0
    var isClosed = false
  }

  /// The `CURLM *`. Only `curl_multi_wakeup` may be called on it from other threads, and only that is.
  nonisolated(unsafe) let multi: UnsafeMutableRawPointer
  private let state = Locked(State())

  init() {
    guard let multi = unsafe curl_multi_init() else { fatalError("libcurl has no memory for a multi handle") }
    unsafe self.multi = multi
    // Connections kept for the next request: a few hosts at a time, each asked again within minutes.
    _ = unsafe ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 16)
  }

  deinit { unsafe curl_multi_cleanup(multi) }

  /// - Returns: the ticket by which the transfer can be given up, or `nil` when the client has stopped.
  func begin(_ transfer: sending Transfer) -> Int? {
    let transfer = Handover(transfer)
    let ticket: Int? = state.withLock { state in
      if state.isClosed { return nil }
      state.lastTicket += 1
      state.orders.append(.begin(transfer.value, ticket: state.lastTicket))
      return state.lastTicket
    }
    wake()
    return ticket
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

  func takeAll() -> [Order] {
    state.withLock { state in
      defer { state.orders = [] }
      return Handover(state.orders)
    }.value
  }

  private func wake() { unsafe curl_multi_wakeup(multi) }
}

/// Carries a value from the thread that made it to the one that uses it.
// Sendable because there is one owner at a time: the sender never touches the value again.
private struct Handover<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
