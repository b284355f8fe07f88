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
  package let policy: ClientPolicy
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

/// A request that the client is to send: absolute URL, ready headers, whole body.
package struct ClientRequest: Sendable {
  package let method: RequestMethod
  /// Sent as it stands: what was signed must not be rewritten on its way.
  package let url: String
  package let headers: HeaderFields
  package let body: [UInt8]?
  package let rules: ResponseRules
  /// Where it may go; `nil` for an address that the user or a provider's own file names, which may be anywhere.
  package var reach: Reach?

  package init(
    method: RequestMethod, url: String, headers: HeaderFields = [:], body: [UInt8]? = nil,
    rules: ResponseRules = ResponseRules(), reach: Reach? = nil
  ) {
    self.reach = reach
    self.rules = rules
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// What holds for every transfer of a client.
package struct ClientPolicy: Sendable {
  /// From the start of a request to the last byte of its answer.
  package var totalTimeout: Duration = .seconds(30)
  /// Within the total one: name look-up, connection and TLS.
  package var connectTimeout: Duration = .seconds(10)
  /// Bytes of a body after decompression: sixteen times the largest page seen (1 MB), so that no answer can fill the memory.
  package var responseLimit = 16 << 20
  /// Bytes of all header fields of an answer.
  package var headerLimit = 64 << 10
  package var userAgent: String
  /// Files and folders of certificates besides the system's own.
  package var authorityFile: String?
  package var authorityFolder: String?
  /// Whether the user has named certificates instead of the system's.
  var namesAuthorities: Bool { authorityFile != nil || authorityFolder != nil }
  /// Hosts that are never asked through a proxy, besides loopback.
  package var noProxy: String?
  /// Which proxy is used, for requests whose reach is judged; for the others libcurl finds that out by itself.
  let proxies: ProxyRules

  /// - Parameter environment: `CURL_CA_BUNDLE`, `SSL_CERT_FILE`, `SSL_CERT_DIR` and `no_proxy` are read here, since the library
  ///   itself does not look at the first three; the proxies' own variables it reads by itself (curl(1), "Environment").
  package init(userAgent: String, environment: [String: String]) {
    func first(_ names: String...) -> String? { names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } }
    self.userAgent = userAgent
    authorityFile = first("CURL_CA_BUNDLE", "SSL_CERT_FILE")
    authorityFolder = first("SSL_CERT_DIR")
    noProxy = first("no_proxy", "NO_PROXY")
    proxies = ProxyRules(environment: environment)
  }
}
