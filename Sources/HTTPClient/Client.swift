package import Dispatch
package import HTTP
internal import Platform

/// The HTTPS client: libcurl's multi interface on one thread, so that a thousand transfers need no thread each.
///
/// Connections are kept and shared between requests to one host. TLS is always verified, redirects are never followed.
/// Requests whose reach is judged have a thread and connections of their own: a kept connection is used again without anybody being
/// asked whether its address is allowed.
/// The library is loaded, and a thread begins, with the first request; the threads end with `stop()`.
package final class Client: Sendable {
  let policy: ClientPolicy
  private let inbox = Inbox()
  private let judgedInbox = Inbox()

  package init(policy: ClientPolicy) { self.policy = policy }

  deinit { stop() }

  /// A request under way.
  package struct Ticket: Sendable {
    fileprivate let number: Int?
    fileprivate let inbox: Inbox

    /// Gives the request up: its completion gets `.cancelled`, unless its outcome was on the way already.
    package func cancel() { if let number { inbox.cancel(number) } }
  }

  /// Sends a request. The completion is called once, asynchronously, on `queue`.
  @discardableResult
  package func send(
    _ request: ClientRequest, on queue: DispatchQueue,
    completion: @escaping @Sendable (Result<Response, ClientError>) -> Void
  ) -> Ticket {
    let inbox = request.reach == nil ? inbox : judgedInbox
    switch inbox.begin(Transfer(request, policy: policy, queue: queue, completion: completion)) {
    case .accepted(let number): return Ticket(number: number, inbox: inbox)
    case .first(let number):
      Self.startThread(inbox)
      return Ticket(number: number, inbox: inbox)
    case .closed:
      let error = ClientError(kind: .cancelled, server: request.server, words: "")
      queue.async { completion(.failure(error)) }
      return Ticket(number: nil, inbox: inbox)
    }
  }

  /// Gives up what is under way, ends the threads, and takes no more requests.
  package func stop() {
    inbox.stop()
    judgedInbox.stop()
  }

  private static func startThread(_ inbox: Inbox) {
    do throws(SystemError) {
      try DetachedThread.start { MultiLoop(inbox: inbox).run() }
    } catch { fatalError("no thread for the HTTPS client: \(error)") }
  }
}
