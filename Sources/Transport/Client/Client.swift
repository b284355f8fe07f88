internal import CCurl
package import Dispatch
internal import Glibc
package import HTTP

/// The HTTPS client: libcurl's multi interface on one thread, so that a thousand transfers need no thread each.
///
/// Connections are kept and shared between requests to one host. TLS is always verified, redirects are never followed.
package final class Client: Sendable {
  package let policy: ClientPolicy
  private let inbox = Inbox()

  /// Starts the client's thread. It ends with `stop()`.
  package init(policy: ClientPolicy) {
    self.policy = policy
    _ = Client.library
    let context = unsafe Unmanaged.passRetained(inbox).toOpaque()
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let code = unsafe pthread_create(
      &thread, &attributes,
      { context in
        let inbox = unsafe Unmanaged<Inbox>.fromOpaque(context!).takeRetainedValue()
        MultiLoop(inbox: inbox).run()
        return nil
      }, context)
    unsafe pthread_attr_destroy(&attributes)
    guard code == 0 else { fatalError("no thread for the HTTPS client: error \(code)") }
  }

  deinit { inbox.stop() }

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
    let number = inbox.begin(Transfer(request, policy: policy, queue: queue, completion: completion))
    if number == nil {
      let error = ClientError(kind: .cancelled, server: request.server, words: "")
      queue.async { completion(.failure(error)) }
    }
    return Ticket(number: number, inbox: inbox)
  }

  /// Gives up what is under way, ends the thread, and takes no more requests.
  package func stop() { inbox.stop() }

  /// libcurl's own set-up, once in a process and before any handle (`curl_global_init(3)`).
  private static let library: Void = {
    let code = ccurl_global_init()
    guard code == CURLE_OK else { fatalError("libcurl cannot be set up: code \(code.rawValue)") }
  }()
}
