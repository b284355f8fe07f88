package import CivilTime
internal import Dispatch
internal import HTTP
internal import HomelineOAuth
internal import Platform
internal import Transport

/// The provider on a port of loopback. It runs from its making until it is stopped.
package final class SandboxServer: Sendable {
  package let port: UInt16
  private let server: HTTPServer
  private let desk: SandboxDesk

  /// Begins to serve.
  /// - Parameters:
  ///   - stateFolder: for the key and the revoked tokens; made where it is missing. One sandbox at a time may have it.
  ///   - port: 0 takes a free one, another at each start: nothing in a token depends on it.
  ///   - onRequest: called for each request, before its answer leaves, on a queue of the sandbox.
  package init(
    stateFolder: String, policy: SandboxPolicy = SandboxPolicy(), port: UInt16 = 0, clock: WallClock = .system,
    onRequest: (@Sendable (SandboxRecord) -> Void)? = nil
  ) throws(SandboxError) {
    let folder = try SandboxFolder(stateFolder)
    let provider = SandboxProvider(key: try folder.key(), policy: policy, revokedTokens: try folder.revokedTokens())
    let queue = DispatchQueue(label: "homeline.sandbox")
    let sockets: ListeningSockets
    do throws(ListenError) {
      sockets = try .loopback(port: port, host: .literal)
    } catch { throw .listening(error) }
    guard let bound = sockets.port else { preconditionFailure("TCP sockets have a port") }
    self.port = bound
    let desk = SandboxDesk(provider, folder: folder, clock: clock, on: queue, port: bound, onRequest: onRequest)
    self.desk = desk
    server = HTTPServer(
      sockets, on: queue, configuration: HTTPServer.Configuration(limits: .sandbox, date: { desk.date })
    ) { desk.handle($0, $1) }
    do throws(SystemError) { try server.start() } catch { throw .system(error) }
  }

  /// `http://127.0.0.1:PORT`, without a slash at the end.
  package var baseURL: String { "http://127.0.0.1:\(port)" }

  /// The address of a route.
  package func address(of route: SandboxRoute) -> String { baseURL + route.path }

  /// Reads or sets what is to go wrong, from any thread.
  package func withFaults<Result>(_ body: (inout SandboxFaults) -> Result) -> Result { desk.withFaults(body) }

  /// What the API v2 has delivered, from any thread.
  package var ledger: SandboxLedger { desk.ledger }

  /// Stops listening and ends all connections.
  /// - Parameter completion: called on a queue of the sandbox when every socket is closed.
  package func stop(completion: @escaping @Sendable () -> Void = {}) {
    server.stop(completion: completion)
  }
}
