internal import Bytes
internal import Commands
internal import Discovery
internal import Dispatch
internal import HTTP
internal import HTTPClient
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
    guard case .server(let address, let user) = name else {
      throw CommandError(.usage, "\(server) needs no discovery")
    }
    var policy = ClientPolicy(userAgent: Version.userAgent, environment: environment.variables)
    policy.connectTimeout = .seconds(8)
    policy.totalTimeout = .seconds(15)
    policy.responseLimit = ServerDocument.byteLimit
    let client = DiscoveryClient(
      client: Client(policy: policy), address: address, isSchemeTyped: server.contains("://"))
    let discovery = ServerDiscovery { (url, referrer) throws(DiscoveryError) in try client.get(url, referrer) }
    let json: [UInt8]
    do throws(DiscoveryError) { json = try discovery.server(at: address, user: user).json } catch { json = error.json }
    do throws(SystemError) { try Terminal.answer(.data(OutputData(json: json))) } catch {
      throw CommandError(error)
    }
    return .done
  }
}

/// Sends the requests of a discovery. Used on one thread.
private final class DiscoveryClient {
  private let client: Client
  private let address: ServerAddress
  private let isSchemeTyped: Bool
  private var reach = ReferencePolicy()

  init(client: Client, address: ServerAddress, isSchemeTyped: Bool) {
    self.client = client
    self.address = address
    self.isSchemeTyped = isSchemeTyped
  }

  func get(_ url: RequestURL, _ referrer: String?) throws(DiscoveryError) -> Response {
    var attempts = 1
    while true {
      switch send(url, referrer == nil ? reach.forNamedServer : reach.forOthers) {
      case .success(let response): return response
      case .failure(let error):
        if error.kind == .forbidden, referrer == nil, reach.noteForbidden(after: attempts) {
          attempts += 1
          continue
        }
        // A response larger than any of these documents is not one of them.
        if error.kind == .tooLarge { return Response(status: .notFound) }
        throw DiscoveryError(description(of: error, at: url, referrer))
      }
    }
  }

  private func description(of error: ClientError, at url: RequestURL, _ referrer: String?) -> String {
    guard let referrer else {
      // Without a scheme, https is tried; a server on this machine may speak only http.
      if !isSchemeTyped, url.isLoopback {
        return "\(error.cause). If the server speaks plain HTTP: homeline login http://\(url.authority)"
      }
      return "\(error)".replacing(url.authority, with: address.name)
    }
    let name = url.isHTTPS ? url.authority : url.origin
    guard error.kind == .forbidden else { return "\(referrer) refers to \(name), which cannot be asked: \(error)" }
    return
      "\(referrer) refers to \(name), which is inside your network; not followed. If it is really your server, name it: "
      + "homeline login \(name)"
  }

  private func send(_ url: RequestURL, _ policy: AddressPolicy) -> Result<Response, ClientError> {
    let isReady = DispatchSemaphore(value: 0)
    let outcome = Locked<Result<Response, ClientError>?>(nil)
    let request = ClientRequest(method: .get, url: url.text, addressPolicy: policy)
    client.send(request, on: DispatchQueue(label: "homeline.discovery")) { result in
      outcome.withLock { $0 = result }
      isReady.signal()
    }
    isReady.wait()
    guard let result = outcome.withLock({ $0 }) else {
      preconditionFailure("the completion is called before the signal")
    }
    return result
  }
}
