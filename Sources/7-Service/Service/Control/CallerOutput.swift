internal import ControlProtocol
internal import Dispatch
internal import Platform

/// Passes a response to the code of this process that sent the request, as values and not as text.
final class CallerOutput: ControlOutput {
  private struct State {
    var gone: (@Sendable () -> Void)?
    var released: (@Sendable () -> Void)?
    /// Whether the response is complete, or the caller has left. Nothing is passed on then.
    var isOver = false
  }

  private let control: DispatchQueue
  /// The caller's functions are called here one after the other.
  private let queue = DispatchQueue(label: "homeline.control.caller")
  private let state = Locked(State())
  private let event: @Sendable (any ControlEvent) -> Void
  private let completion: @Sendable (ControlResponse) -> Void

  /// - Parameter control: the control server's queue.
  init(
    on control: DispatchQueue, event: @escaping @Sendable (any ControlEvent) -> Void,
    completion: @escaping @Sendable (ControlResponse) -> Void
  ) {
    self.control = control
    self.event = event
    self.completion = completion
  }

  /// A handler that releases its responder without ending it is a bug. The caller must not wait for ever.
  deinit {
    let (isOver, released) = state.withLock { ($0.isOver, $0.released) }
    if !isOver {
      let end = EndEvent(exit: .software, message: "the request ended without a result")
      queue.async { [completion] in completion(.end(end)) }
    }
    released?()
  }

  /// Reports that the caller no longer waits. The job itself decides whether it continues, as after a command was interrupted.
  func leave() {
    let (gone, released) = state.withLock { state -> ((@Sendable () -> Void)?, (@Sendable () -> Void)?) in
      if state.isOver { return (nil, nil) }
      state.isOver = true
      return (state.gone.take(), state.released.take())
    }
    control.async {
      gone?()
      released?()
    }
  }

  func respond(_ response: ControlResponse, released: @escaping @Sendable () -> Void) {
    state.withLock { state in
      if !state.isOver { queue.async { [completion] in completion(response) } }
      state.isOver = true
    }
    queue.async { released() }
  }

  func openStream(gone: @escaping @Sendable () -> Void, released: @escaping @Sendable () -> Void) {
    let hasLeft = state.withLock { state in
      if !state.isOver { (state.gone, state.released) = (gone, released) }
      return state.isOver
    }
    guard hasLeft else { return }
    control.async {
      gone()
      released()
    }
  }

  func send(_ event: some ControlEvent) {
    state.withLock { state in
      if !state.isOver { queue.async { [own = self.event] in own(event) } }
    }
  }

  func end(_ end: EndEvent) {
    let released = state.withLock { state in
      if state.isOver { return state.released.take() }
      state.isOver = true
      queue.async { [completion] in completion(.end(end)) }
      return state.released.take()
    }
    queue.async { released?() }
  }
}
