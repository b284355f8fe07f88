internal import Dispatch
package import HTTP
internal import HTTPServer
internal import Platform
package import Sandbox
package import Time

/// A simulated provider on a loopback port in the test's own process. It responds from its initialisation until a call to
/// ``stop(completion:)``.
package final class SandboxServer<Provider: SimulatedProvider>: Sendable {
  package let port: UInt16
  private let server: Server
  private let shared: Locked<Faulty<Provider>>
  private let pictures: Locked<PictureRequests>
  private let interruption = Locked<(@Sendable (Request) -> Bool)?>(nil)

  /// - Parameters:
  ///   - port: the port; 0 selects a free port.
  ///   - onRequest: a closure called for each request except those for pictures, before its response is sent.
  package convenience init(
    _ provider: Provider, port: UInt16 = 0, clock: WallClock = .system,
    onRequest: @escaping @Sendable (RequestRecord) -> Void = { _ in }
  ) throws {
    try self.init(provider, storingIn: nil, port: port, clock: clock, onRequest: onRequest)
  }

  fileprivate init(
    _ provider: Provider, storingIn folder: StateFolder?, port: UInt16, clock: WallClock,
    onRequest: @escaping @Sendable (RequestRecord) -> Void
  ) throws {
    let (shared, pictures) = (Locked(Faulty(provider)), Locked(PictureRequests()))
    var options = SandboxOptions(clock: clock)
    options.fault = { request in pictures.withLock { $0.fault(for: request) } }
    options.onRequest = { request, status in
      let record = RequestRecord(request, status)
      if !pictures.withLock({ $0.note(record) }) { onRequest(record) }
    }
    options.interrupts = { [interruption] request in interruption.withLock { $0 }?(request) ?? false }
    let sockets = try ListeningSockets.loopback(port: port, host: .literal)
    self.port = sockets.port ?? 0
    server = try Shared(provider: shared).serve(on: sockets, storingIn: folder, options)
    (self.shared, self.pictures) = (shared, pictures)
  }

  /// `http://127.0.0.1:PORT`, without a trailing slash.
  package var baseURL: String { "http://127.0.0.1:\(port)" }

  /// Reads or changes the provider, from any thread.
  package func with<Value>(_ body: (inout Provider) -> Value) -> Value { shared.withLock { body(&$0.provider) } }

  /// Reads or changes the faults of the next responses, from any thread.
  package func withFaults<Value>(_ body: (inout FaultQueue) -> Value) -> Value { shared.withLock { body(&$0.faults) } }

  /// Calls a closure when half of a large request's content has arrived.
  /// - Parameter body: a closure called on the server's queue and returns whether to reset the connection.
  package func atHalf(_ body: (@Sendable (Request) -> Bool)?) { interruption.withLock { $0 = body } }

  /// The objects that X's v2 API has delivered so far.
  package var delivered: DeliveryCount { shared.withLock { $0.delivered } }

  /// Reads the requests for pictures, or changes their faults, from any thread.
  package func withPictures<Value>(_ body: (inout PictureRequests) -> Value) -> Value {
    pictures.withLock { body(&$0) }
  }

  /// Stops the server.
  /// - Parameter completion: a closure called when every socket has been closed.
  package func stop(completion: @escaping @Sendable () -> Void = {}) { server.stop(completion: completion) }

  package func stopAndWait() async { await withCheckedContinuation { done in stop { done.resume() } } }
}

extension SandboxServer where Provider == TwitterSandbox {
  /// - Parameter stateFolder: the folder that stores the key and the revoked tokens.
  package convenience init(
    stateFolder: String, policy: SandboxPolicy = SandboxPolicy(), port: UInt16 = 0, clock: WallClock = .system,
    onRequest: @escaping @Sendable (RequestRecord) -> Void = { _ in }
  ) throws {
    let folder = try StateFolder(stateFolder)
    let state = try folder.state()
    try self.init(
      TwitterSandbox(key: state.key, policy: policy, revokedTokens: state.revokedTokens), storingIn: folder, port: port,
      clock: clock, onRequest: onRequest)
  }

  package func address(of route: TwitterRoute) -> String { baseURL + route.path }
}

/// The user who logs in to every simulated provider.
package enum SandboxUser {
  package static let id = "14000001"
  package static let screenName = "mira_demo"
}

/// A request that the server has handled.
package struct RequestRecord: Sendable, Equatable {
  package let method: RequestMethod
  package let path: String
  package let query: String?
  /// The status of the response; `nil` if the connection was closed without a response.
  package let status: StatusCode?

  package init(method: RequestMethod, path: String, query: String? = nil, status: StatusCode?) {
    self.method = method
    self.path = path
    self.query = query
    self.status = status
  }

  init(_ request: Request, _ status: StatusCode?) {
    self.init(
      method: request.method, path: request.target.description, query: request.target.query, status: status)
  }
}

/// The requests for pictures, and the faults that affect them.
package struct PictureRequests: Sendable {
  private static let folder = "/media/"

  /// The faults for each path. A fault for `/media/` affects the next picture, regardless of its path.
  package var faults = FaultQueue()
  package private(set) var records: [RequestRecord] = []
  /// A closure that is called once, with the next request for a picture, on a separate queue.
  package var onNextRequest: (@Sendable () -> Void)?

  mutating func fault(for request: Request) -> SandboxFault? {
    let path = request.target.path
    guard path.hasPrefix(Self.folder) else { return nil }
    if let body = onNextRequest.take() { DispatchQueue(label: "homeline.test.pictures").async(execute: body) }
    return faults.next(for: path) ?? faults.next(for: Self.folder)
  }

  /// - Returns: whether the request was for a picture.
  mutating func note(_ record: RequestRecord) -> Bool {
    guard record.path.hasPrefix(Self.folder) else { return false }
    records.append(record)
    return true
  }
}

/// A simulated provider that the server and the test share.
private struct Shared<Provider: SimulatedProvider>: SimulatedProvider {
  let provider: Locked<Faulty<Provider>>

  mutating func response(to request: Request, at now: Timestamp) -> SimulatedResponse {
    provider.withLock { $0.response(to: request, at: now) }
  }
  func clock(at now: Timestamp) -> Timestamp { provider.withLock { $0.clock(at: now) } }
  var revokedTokens: Set<String> { provider.withLock { $0.revokedTokens } }
  var bodyLimit: Int { provider.withLock { $0.bodyLimit } }
  func uploadedFile(_ key: String) -> UploadedFile? { provider.withLock { $0.uploadedFile(key) } }
}
