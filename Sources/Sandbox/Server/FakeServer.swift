package import CivilTime
internal import Dispatch
internal import HTTP
internal import Platform
internal import Transport

/// A played provider on a port of loopback. It runs from its making until it is stopped.
package final class FakeServer<Service: SandboxService>: RunningSandbox {
  package let port: UInt16
  private let server: HTTPServer
  private let desk: SandboxDesk<Service>

  /// Begins to serve; what the provider has issued is known for as long as this runs.
  /// - Parameters:
  ///   - port: 0 takes a free one, another at each start.
  ///   - onRequest: called for each request, before its answer leaves, on a queue of the sandbox.
  package convenience init(
    service: Service, port: UInt16 = 0, clock: WallClock = .system,
    onRequest: (@Sendable (SandboxRecord) -> Void)? = nil
  ) throws(SandboxError) {
    try self.init(
      service, on: try Self.sockets(port: port), SandboxOptions(clock: clock, onRequest: onRequest))
  }

  /// - Parameters:
  ///   - folder: for the revoked tokens.
  ///   - sockets: TCP ones, at one port of loopback.
  init(
    _ service: Service, keepingIn folder: SandboxFolder? = nil, on sockets: consuming ListeningSockets,
    _ options: SandboxOptions
  ) throws(SandboxError) {
    let queue = DispatchQueue(label: "homeline.sandbox")
    guard let port = sockets.port else { preconditionFailure("TCP sockets have a port") }
    self.port = port
    let desk = SandboxDesk(service, folder: folder, on: queue, port: port, options)
    self.desk = desk
    server = HTTPServer(
      sockets, on: queue, configuration: HTTPServer.Configuration(limits: .sandbox, date: { desk.date })
    ) { desk.handle($0, $1) }
    do throws(SystemError) { try server.start() } catch { throw .system(error) }
  }

  static func sockets(port: UInt16) throws(SandboxError) -> ListeningSockets {
    do throws(ListenError) { return try .loopback(port: port, host: .literal) } catch { throw .listening(error) }
  }

  /// Reads or changes the running provider, from any thread.
  package func with<Value>(_ body: (inout Service) -> Value) -> Value { desk.with(body) }

  /// Reads what pictures were asked for, or sets what is to go wrong with them, from any thread.
  package func withPictures<Value>(_ body: (inout SandboxPictures) -> Value) -> Value { desk.withPictures(body) }

  /// Stops listening and ends all connections.
  /// - Parameter completion: called on a queue of the sandbox when every socket is closed.
  package func stop(completion: @escaping @Sendable () -> Void = {}) {
    server.stop(completion: completion)
  }
}

/// A played provider on a port of loopback, whichever it is.
package protocol RunningSandbox: Sendable {
  var port: UInt16 { get }
  /// Stops listening and ends all connections.
  /// - Parameter completion: called on a queue of the sandbox when every socket is closed.
  func stop(completion: @escaping @Sendable () -> Void)
}

extension RunningSandbox {
  /// `http://127.0.0.1:PORT`, without a slash at the end.
  package var baseURL: String { "http://127.0.0.1:\(port)" }
}

/// The provider of OAuth 1.0a on a port of loopback.
package typealias SandboxServer = FakeServer<SandboxProvider>

extension FakeServer where Service == SandboxProvider {
  /// Begins to serve.
  /// - Parameters:
  ///   - stateFolder: for the key and the revoked tokens; made where it is missing. One sandbox at a time may have it.
  ///   - port: 0 takes a free one, another at each start: nothing in a token depends on it.
  ///   - onRequest: called for each request, before its answer leaves, on a queue of the sandbox.
  package convenience init(
    stateFolder: String, policy: SandboxPolicy = SandboxPolicy(), port: UInt16 = 0, clock: WallClock = .system,
    onRequest: (@Sendable (SandboxRecord) -> Void)? = nil
  ) throws(SandboxError) {
    let folder = try SandboxFolder(stateFolder)
    try self.init(
      SandboxProvider(keptIn: folder, policy: policy), keepingIn: folder, on: try Self.sockets(port: port),
      SandboxOptions(clock: clock, onRequest: onRequest))
  }

  /// The address of a route.
  package func address(of route: SandboxRoute) -> String { baseURL + route.path }

  /// Reads or sets what is to go wrong, from any thread.
  package func withFaults<Result>(_ body: (inout SandboxFaults) -> Result) -> Result { with { body(&$0.faults) } }

  /// What the API v2 has delivered, from any thread.
  package var ledger: SandboxLedger { with { $0.ledger } }
}

extension SandboxProvider {
  /// The provider with the key and the revoked tokens that a folder keeps; with a key of its own where there is none.
  init(keptIn folder: SandboxFolder?, policy: SandboxPolicy) throws(SandboxError) {
    self.init(
      key: try folder?.key() ?? .random(), policy: policy, revokedTokens: try folder?.revokedTokens() ?? [])
  }
}
