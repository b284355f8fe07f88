internal import Dispatch
internal import Platform

/// The call that waits for a listener's redirect, and the redirect once it has come.
// Sendable because everything that changes in it is touched on `queue` only.
final class RedirectWait: @unchecked Sendable {
  typealias Redirect = RedirectListener.Redirect
  typealias Completion = @Sendable (Result<Redirect, RedirectListenerError>) -> Void

  /// What one call waits for; a class, since calls are told apart by their identity.
  final class Call: Sendable {
    let visit: RedirectServer.Visit
    let isExpected: @Sendable (Redirect) -> Bool

    init(visit: RedirectServer.Visit, isExpected: @escaping @Sendable (Redirect) -> Bool) {
      self.visit = visit
      self.isExpected = isExpected
    }
  }

  private let queue: DispatchQueue
  private var waiting: (call: Call, completion: Completion, alarm: Alarm)?
  /// The expected redirect, once it has come.
  private var accepted: (query: String?, visit: RedirectServer.Visit)?
  private var isClosed = false

  init(on queue: DispatchQueue) { self.queue = queue }

  /// Begins to wait. From any thread.
  func begin(_ call: Call, within limit: Duration, _ completion: @escaping Completion) {
    queue.async {
      if self.isClosed { return completion(.failure(.closed)) }
      if self.waiting != nil { return completion(.failure(.alreadyWaiting)) }
      let alarm: Alarm
      do throws(SystemError) {
        alarm = try Alarm(on: self.queue) { [weak self] in self?.finish(.failure(.timedOut)) }
      } catch {
        return completion(.failure(.system(error.description)))
      }
      self.waiting = (call, completion, alarm)
      alarm.set(.now + limit)
    }
  }

  /// Ends a call unless it has ended. From any thread.
  func cancel(_ call: Call) {
    queue.async { if self.waiting?.call === call { self.finish(.failure(.cancelled)) } }
  }

  /// Ends the call that waits, and every later one. From any thread.
  func close() {
    queue.async {
      self.isClosed = true
      self.finish(.failure(.closed))
    }
  }

  /// Judges a redirect, on the queue.
  func reply(to received: RedirectServer.Redirect) -> RedirectServer.Reply {
    // Another tab with the same address gets the same page.
    if let accepted, accepted.query == received.query { return .accepted(accepted.visit) }
    let redirect = Redirect(query: received.query, isNavigation: received.isNavigation)
    guard accepted == nil, let call = waiting?.call, call.isExpected(redirect) else { return .unknown }
    guard received.consumes else { return .accepted(call.visit) }
    accepted = (received.query, call.visit)
    finish(.success(redirect))
    return .accepted(call.visit)
  }

  private func finish(_ outcome: Result<Redirect, RedirectListenerError>) {
    let completion = waiting.take()?.completion
    completion?(outcome)
  }
}
