internal import Platform

/// The answer to one request on its way back to its connection, which may come while the handler still runs.
///
/// What is answered while the handler still runs is carried out right behind it, on the queue that it runs on anyway; everything
/// later comes by way of the queue. In neither case does a handler run inside of another event.
final class PromptAnswer: Sendable {
  private struct State {
    var isHanding = true
    var answer: Exchange.Answer?
  }

  private let state = Locked(State())
  private let later: @Sendable (Exchange.Answer) -> Void

  /// - Parameter later: brings an answer to the queue.
  init(later: @escaping @Sendable (Exchange.Answer) -> Void) { self.later = later }

  /// From any thread.
  func answer(_ answer: Exchange.Answer) {
    let isTaken = state.withLock { state in
      if state.isHanding { state.answer = answer }
      return state.isHanding
    }
    if !isTaken { later(answer) }
  }

  /// The handler has returned.
  /// - Returns: what it has answered.
  func handedOver() -> Exchange.Answer? {
    state.withLock { state in
      state.isHanding = false
      return state.answer.take()
    }
  }
}
