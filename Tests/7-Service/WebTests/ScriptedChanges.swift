import ControlProtocol
import Dispatch
import Platform

@testable import Web

/// A service that records the requests of pages, and responds as a test says.
final class ScriptedChanges: Sendable {
  /// What the service does with a request: it sends events, and then its last one. Without an end, the job goes on until ``endAll()``.
  struct Script: Sendable {
    var events: [any ControlEvent] = []
    var end: ControlResponse? = .end(EndEvent(exit: .done))
  }

  private let script = Locked<@Sendable (any ControlRequest) -> Script>({ _ in Script() })
  private let received = Locked<[any ControlRequest]>([])
  private let departures = Locked(0)
  private let going = Locked<[@Sendable (ControlResponse) -> Void]>([])
  private let queue = DispatchQueue(label: "scripted changes")
  private let patience: Duration

  /// - Parameter patience: how long pages wait.
  init(patience: Duration = WebChanges.patience) { self.patience = patience }

  /// Defines what follows requests from now on.
  func respond(_ script: @escaping @Sendable (any ControlRequest) -> Script) { self.script.withLock { $0 = script } }

  /// The requests so far.
  var requests: [any ControlRequest] { received.withLock { $0 } }
  /// How often a page no longer waited.
  var left: Int { departures.withLock { $0 } }

  /// Ends the jobs that go on.
  func endAll(_ end: ControlResponse = .end(EndEvent(exit: .done))) {
    let ended = going.withLock { going in
      defer { going = [] }
      return going
    }
    for completion in ended { queue.async { completion(end) } }
  }

  var changes: WebChanges {
    WebChanges(patience: patience) { request, event, completion in
      self.received.withLock { $0.append(request) }
      let script = self.script.withLock { $0 }(request)
      self.queue.async {
        for sent in script.events { event(sent) }
        if let end = script.end { completion(end) } else { self.going.withLock { $0.append(completion) } }
      }
      return { self.departures.withLock { $0 += 1 } }
    }
  }
}
