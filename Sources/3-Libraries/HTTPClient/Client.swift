package import Dispatch
package import HTTP
internal import Platform

/// An HTTPS client that runs all transfers on one thread with libcurl's multi interface.
///
/// Connections are kept open and reused by requests to the same host. TLS certificates are always verified, and redirects are never
/// followed. Requests with an address policy use a second thread with separate connections, because reusing a connection checks no address.
/// The first request loads libcurl and starts the thread; `stop()` ends the threads.
package final class Client: Sendable {
  let policy: ClientPolicy
  private let inbox = Inbox()
  private let checkedInbox = Inbox()

  package init(policy: ClientPolicy) { self.policy = policy }

  deinit { stop() }

  /// Identifies a running request.
  package struct Ticket: Sendable {
    fileprivate let number: Int?
    fileprivate let inbox: Inbox

    /// Cancels the request. The request's completion receives `.cancelled`, unless another outcome is already on its way.
    package func cancel() { if let number { inbox.cancel(number) } }
  }

  /// Sends a request. The completion is called exactly once, asynchronously, on `queue`.
  @discardableResult
  package func send(
    _ request: ClientRequest, on queue: DispatchQueue,
    completion: @escaping @Sendable (Result<Response, ClientError>) -> Void
  ) -> Ticket {
    let inbox = request.addressPolicy == nil ? inbox : checkedInbox
    switch inbox.begin(Transfer(request, policy: policy, queue: queue, completion: completion)) {
    case .accepted(let number): return Ticket(number: number, inbox: inbox)
    case .first(let number):
      Self.startThread(inbox)
      return Ticket(number: number, inbox: inbox)
    case .closed:
      let error = ClientError(kind: .cancelled, server: request.server, message: "")
      queue.async { completion(.failure(error)) }
      return Ticket(number: nil, inbox: inbox)
    }
  }

  /// Cancels all running requests, ends the threads and refuses further requests.
  package func stop() {
    inbox.stop()
    checkedInbox.stop()
  }

  private static func startThread(_ inbox: Inbox) {
    do throws(SystemError) {
      try DetachedThread.start { MultiLoop(inbox: inbox).run() }
    } catch { fatalError("could not start the HTTPS client's thread: \(error)") }
  }
}
