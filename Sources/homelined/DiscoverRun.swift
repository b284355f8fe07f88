internal import Commands
internal import Discovery
internal import Dispatch
internal import HTTP
internal import HTTPClient
internal import HomelineOAuth
internal import Platform
internal import TerminalText

extension Command.Discover: DaemonProgramCommand {
  /// Runs the command on a separate thread, without the state and its lock.
  func start(_ invocation: Invocation, in environment: CommandEnvironment) throws(CommandError) -> any Sendable {
    let run = DiscoverRun(server: server, environment: environment)
    try startThread { () throws(CommandError) in try run.run() }
    return run
  }
}

/// Requests a server's public documents, and prints a description of the server as JSON.
struct DiscoverRun: Sendable {
  let server: String
  let environment: CommandEnvironment

  func run() throws(CommandError) -> ExitCode {
    let name: ServerName
    do throws(ServerNameError) { name = try ServerName(server) } catch { throw CommandError(.usage, "\(error)") }
    guard case .server(let origin, let user) = name else {
      throw CommandError(.usage, "\(server) needs no discovery")
    }
    var policy = ClientPolicy(userAgent: "homeline/\(Version.number)", environment: environment.variables)
    policy.connectTimeout = .seconds(8)
    policy.totalTimeout = .seconds(15)
    policy.responseLimit = ServerDiscovery.byteLimit
    let client = Client(policy: policy)
    let discovery = ServerDiscovery { (url) throws(DiscoveryError) in try Self.get(url, client) }
    let json: [UInt8]
    do throws(DiscoveryError) { json = try discovery.server(at: origin, user: user).json } catch { json = error.json }
    do throws(SystemError) { try Terminal.answer(.data(OutputData(json: json))) } catch {
      throw CommandError(error)
    }
    return .done
  }

  private static func get(_ url: RequestURL, _ client: Client) throws(DiscoveryError) -> Response {
    let isReady = DispatchSemaphore(value: 0)
    let outcome = Locked<Result<Response, ClientError>?>(nil)
    client.send(ClientRequest(method: .get, url: url.text), on: .global()) { result in
      outcome.withLock { $0 = result }
      isReady.signal()
    }
    isReady.wait()
    switch outcome.withLock({ $0 }) {
    case .success(let response): return response
    case .failure(let error):
      // A page larger than any of these documents is not one of them.
      if error.kind == .tooLarge { return Response(status: .notFound) }
      throw DiscoveryError("\(error)")
    case nil: preconditionFailure("the completion is called before the signal")
    }
  }
}
