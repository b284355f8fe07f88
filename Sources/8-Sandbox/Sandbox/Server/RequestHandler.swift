internal import Dispatch
internal import HTTP
package import HTTPServer
internal import Platform
internal import Time

extension SimulatedProvider {
  /// Serves the provider until the server is stopped.
  /// - Parameters:
  ///   - sockets: TCP sockets on one loopback port.
  ///   - folder: stores the revoked tokens.
  package func serve(
    on sockets: consuming ListeningSockets, storingIn folder: StateFolder? = nil, _ options: SandboxOptions
  ) throws(SandboxError) -> Server {
    guard let port = sockets.port else { preconditionFailure("TCP sockets have a port") }
    let queue = DispatchQueue(label: "homeline.sandbox")
    let handler = RequestHandler(self, storingIn: folder, on: queue, port: port, options)
    let server = Server(
      sockets, on: queue,
      configuration: configuration(handler, options)
    ) { handler.handle($0, $1) }
    do throws(ListenError) { try server.start() } catch { throw .listening(error) }
    return server
  }

  private func configuration(_ handler: RequestHandler, _ options: SandboxOptions) -> ServerConfiguration {
    var configuration = ServerConfiguration(limits: RequestParser.Limits(body: bodyLimit), date: { handler.date })
    configuration.halfway = options.interrupts
    // Large files take longer than forms.
    if bodyLimit > RequestParser.Limits.sandbox.body { configuration.deadlines.request = .seconds(60) }
    return configuration
  }
}

/// Passes requests to the provider, stores revoked tokens, and sends each response as its fault requires.
private final class RequestHandler: Sendable {
  private let provider: Locked<any SimulatedProvider>
  private let folder: StateFolder?
  private let options: SandboxOptions
  private let queue: DispatchQueue
  private let port: UInt16

  init(
    _ provider: any SimulatedProvider, storingIn folder: StateFolder?, on queue: DispatchQueue, port: UInt16,
    _ options: SandboxOptions
  ) {
    self.provider = Locked(provider)
    self.folder = folder
    self.options = options
    self.queue = queue
    self.port = port
  }

  /// The `Date` header: the time on the provider's clock.
  var date: FieldValue? {
    FieldValue(provider.withLock { $0.clock(at: options.clock.now) }.imfFixdate)
  }

  func handle(_ request: Request, _ exchange: Exchange) {
    // Protects against DNS rebinding: a web page could have its own host name resolved to this machine.
    guard let authority = request.authority, LoopbackHost.accepts(authority, port: port) else {
      exchange.respond(
        Response(status: .misdirectedRequest, text: "421 Misdirected Request: not a name of this server"))
      return
    }
    var request = request
    let fault = options.fault(request)
    if case .alter(let change) = fault { change(&request) }
    var response = SimulatedResponse(fault) {
      SandboxPictures.response(to: request) { key in provider.withLock { $0.uploadedFile(key) } }
        .map { SimulatedResponse($0) } ?? providerResponse(to: request)
    }
    PictureAddress.localize(&response.response, port: port)
    options.onRequest(request, response.isDropped ? nil : response.response.status)
    send(response, exchange)
  }

  private func send(_ response: SimulatedResponse, _ exchange: Exchange) {
    if response.isDropped {
      // This sends an interim response (RFC 9110 §15.2) before the connection is closed. Otherwise, a client could treat the connection as
      // stale and repeat the request by itself.
      exchange.respond(Response(status: StatusCode(102)), closing: true)
    } else if let count = response.stallsAfter {
      let stream = exchange.stream(response.response)
      stream.write(Array(response.response.body.prefix(count)))
      // Releasing an unfinished stream closes the connection.
      later(response.delay) { withExtendedLifetime(stream) {} }
    } else if response.delay > .zero {
      later(response.delay) { exchange.respond(response.response) }
    } else {
      exchange.respond(response.response)
    }
  }

  private func later(_ delay: Duration, _ work: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay / .milliseconds(1))), execute: work)
  }

  private func providerResponse(to request: Request) -> SimulatedResponse {
    let (response, revoked) = provider.withLock { provider in
      let before = provider.revokedTokens.count
      let response = provider.response(to: request, at: options.clock.now)
      let after = provider.revokedTokens
      return (response, after.count > before ? after : nil)
    }
    guard let revoked, let folder else { return response }
    do throws(SystemError) {
      try folder.store(revoked: revoked)
      return response
    } catch {
      // A revocation that is confirmed but not stored would be undone by a restart.
      return SimulatedResponse(Response(status: .internalServerError, text: error.description))
    }
  }
}
