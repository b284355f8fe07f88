package import ControlProtocol
internal import Dispatch
internal import Platform

/// Changes accounts for pages: gives control requests to the service, whose handlers carry them out as for a command.
package struct WebChanges: Sendable {
  /// Starts to carry out a request.
  /// - Parameters:
  ///   - event: called with each event, apart from the last one.
  ///   - completion: called once with the end of the response. Both functions are called one after the other, on another queue.
  /// - Returns: the function to call if nobody waits for the response any more.
  package typealias CarryOut =
    @Sendable (
      _ request: any ControlRequest, _ event: @escaping @Sendable (any ControlEvent) -> Void,
      _ completion: @escaping @Sendable (ControlResponse) -> Void
    ) -> @Sendable () -> Void

  /// What is known about a change when its page is made.
  package struct Outcome: Sendable {
    /// The events so far, in order, apart from the last one.
    package var events: [any ControlEvent] = []
    package var end = End.underWay

    package enum End: Sendable, Hashable {
      case response(ControlResponse)
      /// The change has not ended yet. It continues, but the page does not hear of it any more.
      case underWay
    }
  }

  /// What to do after an event.
  package enum Step: Sendable {
    /// Wait for the end.
    case wait
    /// Answer now. The job continues, and its further events are ignored.
    case answer
    /// Answer now, and let the job know that nobody waits for it. A login ends then.
    case leave
  }

  /// How long a page waits for a change. An account's queue may be busy for longer, and a browser shows nothing meanwhile.
  package static let patience = Duration.seconds(20)

  private let start: CarryOut
  private let patience: Duration

  /// - Parameter patience: how long pages wait if they do not say.
  package init(patience: Duration = patience, _ start: @escaping CarryOut) {
    self.patience = patience
    self.start = start
  }

  /// Carries out a request, without waiting for it.
  /// - Parameters:
  ///   - patience: how long to wait for the end; nil for the usual time. Then the job learns that nobody waits, as from a command that was interrupted: it
  ///     continues, except for a login whose user has not come back yet.
  ///   - step: what to do after each event.
  ///   - ended: called once on another queue when the job has ended, even if the page no longer waits for it.
  ///   - completion: called once, on any queue.
  package func carryOut(
    _ request: some ControlRequest, patience: Duration? = nil,
    after step: @escaping @Sendable (any ControlEvent) -> Step = { _ in .wait },
    ended: @escaping @Sendable () -> Void = {},
    completion: @escaping @Sendable (Outcome) -> Void
  ) {
    let waiting = WaitingChange(completion)
    let passOn = { @Sendable (event: any ControlEvent) in
      let step = step(event)
      waiting.add(event)
      switch step {
      case .wait: break
      case .answer: waiting.finish()
      case .leave: waiting.finish(leaving: true)
      }
    }
    let leave = start(request, passOn) { response in
      waiting.finish(.response(response))
      ended()
    }
    waiting.limit(to: patience ?? self.patience, leave: leave)
  }
}

/// A change whose outcome a page waits for.
private final class WaitingChange: Sendable {
  private struct State {
    var outcome = WebChanges.Outcome()
    var completion: ClosureBox<@Sendable (WebChanges.Outcome) -> Void>?
    var alarm: Alarm?
    var leave: ClosureBox<@Sendable () -> Void>?
    var hasLeft = false
  }

  private let state: Locked<State>

  init(_ completion: @escaping @Sendable (WebChanges.Outcome) -> Void) {
    state = Locked(State(completion: ClosureBox(completion)))
  }

  func add(_ event: any ControlEvent) {
    state.withLock { state in if state.completion != nil { state.outcome.events.append(event) } }
  }

  /// Passes the outcome on, the first time it is called.
  /// - Parameter leaving: whether the job learns that nobody waits for it.
  func finish(_ end: WebChanges.Outcome.End = .underWay, leaving: Bool = false) {
    let (completion, outcome, leave) = state.withLock { state in
      let completion = state.completion.take()
      var outcome = state.outcome
      outcome.end = end
      if completion != nil { state.hasLeft = leaving }
      // The job's functions refer to this object, so it keeps none of them, and no event.
      state.alarm = nil
      state.outcome = WebChanges.Outcome()
      return (completion, outcome, state.leave.take())
    }
    if leaving, completion != nil { leave?.call() }
    completion?.call(outcome)
  }

  /// Without a descriptor for the alarm, the page waits for the end.
  func limit(to patience: Duration, leave: @escaping @Sendable () -> Void) {
    // The alarm keeps this object until it has fired, or the change has ended.
    let alarm = try? Alarm(on: DispatchQueue(label: "homeline.web.change")) { self.finish(leaving: true) }
    let hasLeft = state.withLock { state in
      if state.completion != nil { (state.alarm, state.leave) = (alarm, ClosureBox(leave)) }
      return state.hasLeft
    }
    if hasLeft { return leave() }
    alarm?.set(.now + patience)
  }
}
