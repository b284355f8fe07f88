internal import Dispatch
internal import Platform

/// The call that waits for a listener's redirect, and the redirect once it has arrived.
// Sendable because all mutable state is accessed only on `queue`.
final class RedirectWait: @unchecked Sendable {
  typealias Redirect = RedirectServer.Redirect
  typealias Completion = @Sendable (Result<Redirect, RedirectListenerError>) -> Void

  /// One waiting call. It is a class, so that calls are distinguished by identity.
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
  /// The expected redirect, once it has arrived.
  private var accepted: (query: String?, visit: RedirectServer.Visit)?
  private var isClosed = false
  /// Redirects that arrived while no call was waiting, in order. A browser may be faster than the program that opened it.
  private var early: [(redirect: Redirect, reply: Reply)] = []
  /// The maximum number of early redirects. A browser sends one redirect, or a few when its tab is reloaded.
  private static let earlyLimit = 16

  typealias Reply = @Sendable (RedirectServer.Reply) -> Void

  init(on queue: DispatchQueue) { self.queue = queue }

  /// Starts waiting. This may be called from any thread.
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
      self.takeEarly()
    }
  }

  /// Ends a call unless it has already ended. This may be called from any thread.
  func cancel(_ call: Call) {
    queue.async { if self.waiting?.call === call { self.finish(.failure(.cancelled)) } }
  }

  /// Ends the waiting call, and every later one. This may be called from any thread.
  func close() {
    queue.async {
      self.isClosed = true
      self.finish(.failure(.closed))
      self.takeEarly()
    }
  }

  /// Handles a redirect, on the queue. A redirect that arrives before the wait is handled when the wait begins.
  func take(_ redirect: Redirect, _ reply: @escaping Reply) {
    // Another tab with the same address receives the same page.
    if let accepted { return reply(accepted.query == redirect.query ? .success(accepted.visit) : .failure(.unknown)) }
    guard let call = waiting?.call else {
      guard !isClosed, early.count < Self.earlyLimit else { return reply(.failure(.unknown)) }
      return early.append((redirect, reply))
    }
    guard call.isExpected(redirect) else { return reply(.failure(.unknown)) }
    // This replies before the call ends, so that the caller's next action does not overtake the response.
    reply(.success(call.visit))
    guard redirect.consumes else { return }
    accepted = (redirect.query, call.visit)
    finish(.success(redirect))
  }

  private func takeEarly() {
    let early = early
    self.early = []
    for (redirect, reply) in early { take(redirect, reply) }
  }

  private func finish(_ outcome: Result<Redirect, RedirectListenerError>) {
    let completion = waiting.take()?.completion
    completion?(outcome)
  }
}
