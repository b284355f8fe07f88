internal import CallbackListener
internal import Dispatch
internal import Glibc
internal import HTTP
internal import HTTPServer
internal import Platform
internal import Settings
internal import Time

/// Serves the pages on one port, from the moment it is opened until it is closed.
///
/// The server's queue only decides who may ask for what. Pages are made on separate queues.
// Sendable because its mutable state is used only on `queue`.
final class WebServer: @unchecked Sendable {
  /// The maximum number of simultaneous connections. Each can have a picture open too, and half of the usual 1,024 descriptors must be left
  /// for refreshes.
  private static let maximumConnections = 256

  let port: UInt16
  private let queue: DispatchQueue
  private let entry: WebEntry
  private let table: RouteTable
  private let layout: WebLayout
  /// Makes a few pages at a time, so that requests for large archives do not take all processors and memory from the refreshes.
  private let workers: QueuePool
  private let live: LiveStreams
  private let log: Log
  private var origins: [WebOrigin]
  private var guesses = GuessLimit()
  /// Set once, at the end of the initializer.
  private var server: Server!

  /// - Parameters:
  ///   - entry: the sessions and tickets, which outlive the port.
  ///   - pages: all routes.
  ///   - rested: called on any queue when no page is being made any more.
  init(
    _ sockets: consuming ListeningSockets, at port: UInt16, origins: [WebOrigin], entry: WebEntry, pages: [Route],
    layout: WebLayout, live: LiveStreams, diagnosis: SocketDiagnosis?, clock: WallClock, log: Log,
    rested: @escaping @Sendable () -> Void
  ) {
    self.port = port
    self.origins = origins
    self.entry = entry
    self.layout = layout
    self.live = live
    self.log = log
    table = RouteTable(pages)
    workers = QueuePool(label: "homeline.web.work", count: 4, rested: rested)
    queue = DispatchQueue(label: "homeline.web")
    let date = DateField(clock)
    var configuration = ServerConfiguration(
      limits: .web, maximumConnections: Self.maximumConnections, peers: .sameUserOverTCP(unknown: .refused),
      diagnosis: diagnosis,
      found: { [weak self] in self?.note($0) },
      forbidden: { layout.response(.page(WebPage(.otherUser, isInside: false))) }, date: { date.current })
    configuration.refusal = { refusal in
      guard let error = WebError(refusal) else { return Response(refusal) }
      return layout.response(.page(WebPage(error, isInside: false)))
    }
    configuration.content = { [weak self] in self?.contentRule($0) ?? .none }
    server = Server(sockets, on: queue, configuration: configuration) { [weak self] request, exchange in
      self?.serve(request, exchange)
    }
  }

  func start() throws(ListenError) { try server.start() }

  /// Replaces the origins of front servers.
  func adopt(_ origins: [WebOrigin]) { queue.async { self.origins = origins } }

  /// Makes a ticket known, so that the next guesses are reported again.
  func ticketMade() { queue.async { self.guesses.loginBegan() } }

  func stop(grace: Duration, unbound: @escaping @Sendable () -> Void, completion: @escaping @Sendable () -> Void) {
    live.endAll()
    server.stop(grace: grace, completion: completion, unbound: unbound)
  }

  private func note(_ finding: TCPPeerFinding) {
    switch finding {
    case .otherUser(let user): log(.warning, "refused a request from another user (\(user))")
    case .noOwner: log(.info, "closed a connection whose user the kernel no longer knows")
    // The port is not opened then.
    case .cannotBeAsked: break
    }
  }

  // MARK: Requests

  /// Decides how much content a request may have. Only a form with files may be long, and only if one of our own pages sends it. A client of
  /// a front server can name any origin, and needs a session.
  private func contentRule(_ request: Request) -> ContentRule {
    guard case .allowed(let origin, _) = AccessRules(port: port, origins: origins).judge(request),
      let path = WebPath(request.target), case .found(let route, _) = table.match(request.method, path),
      let upload = route.upload, case let content = WebContent(request), content.isMultipart,
      origin.isLoopback || entry.sender(of: request, at: origin).session != nil
    else { return .memory(limit: RequestParser.Limits.web.body) }
    // If the folder cannot be created, nothing can be stored in it, which the server reports.
    try? Folder.create(upload.folder)
    return .file(in: upload.folder, limit: upload.limit) { RefusedForm(contentType: content.type ?? "") }
  }

  private func serve(_ request: Request, _ exchange: Exchange) {
    switch AccessRules(port: port, origins: origins).judge(request) {
    case .refused(let error): refuse(exchange, error, isInside: false)
    case .fromElsewhere:
      // The path is decoded and written again: `//host/` would lead to another server. The other site cannot make the page say that
      // something was done.
      let address = WebPath(request.target).flatMap { path in
        path.components.first == "enter"
          ? nil : try? WebQuery(received: request.target.query).added(to: WebAddress(path)).withoutMessage
      }
      exchange.respond(layout.response(.page(ForeignLinkPage.page(to: address))))
    case .allowed(let origin, let metadata): route(request, at: origin, metadata, exchange)
    }
  }

  private func route(
    _ request: Request, at origin: ServedOrigin, _ metadata: FetchMetadata, _ exchange: Exchange
  ) {
    let sender = entry.sender(of: request, at: origin)
    let isInside = sender.session != nil
    guard let path = WebPath(request.target) else { return refuse(exchange, .notFound, isInside: isInside) }
    switch table.match(request.method, path) {
    case .notFound: refuse(exchange, isInside ? .notFound : sender.objection, isInside: isInside)
    case .otherMethods(let methods):
      guard isInside else { return refuse(exchange, sender.objection, isInside: false) }
      var response = layout.response(.page(WebPage(.otherMethod, isInside: true)))
      // RFC 9110 §15.5.6.
      if let allowed = FieldValue(methods.map(\.name).joined(separator: ", ")) {
        response.headers.set("Allow", allowed)
      }
      exchange.respond(response)
    case .found(let route, let parameters):
      let objection = isInside || route.access == .program ? nil : sender.objection
      if let objection, route.upload == nil || !origin.isLoopback {
        return refuse(exchange, objection, isInside: false)
      }
      let sender = WebRequest.Sender(
        session: sender.session, origin: origin, isNavigation: metadata.isNavigation,
        isFromScript: metadata.isFromScript, isOwn: exchange.peer == geteuid())
      workers.run {
        // What changes after this moment may not be on the page.
        let layout = self.layout.at(self.live.moment)
        let send = { @Sendable (make: () throws(WebError) -> WebResponse) in
          do throws(WebError) { layout.send(try make(), to: exchange, for: request) } catch {
            self.queue.async { self.refuse(exchange, error, isInside: isInside) }
          }
        }
        do throws(WebError) {
          let received = try WebRequest(
            request, exchange.content, exchange.refusal, at: path, parameters, from: sender)
          if var objection {
            objection.advice += route.upload?.keep(received) ?? []
            throw objection
          }
          switch route.answer {
          case .now(let handler): send { () throws(WebError) in try handler(received) }
          case .later(let handler): try handler(received, WebReply { make in self.workers.run { send(make) } })
          }
        } catch { send { () throws(WebError) in throw error } }
      }
    }
  }

  /// Answers with an error page. After many guesses in a row, the response is always the same.
  private func refuse(_ exchange: Exchange, _ error: WebError, isInside: Bool) {
    guard error.isGuess, case .refused(let isFirst) = guesses.judge(at: .now) else {
      return exchange.respond(layout.response(.page(WebPage(error, isInside: isInside))))
    }
    if isFirst { log(.warning, "many requests in a row have an invalid ticket, cookie or feed address") }
    var response = layout.response(.page(WebPage(.tooManyGuesses, isInside: false)))
    response.headers.set("Retry-After", FieldValue(GuessLimit.capacity))
    exchange.respond(response, closing: true)
  }
}

extension WebError {
  fileprivate static let otherUser = WebError(
    .forbidden, "This page belongs to another user", "homeline answers only programs of the user who runs it.")

  fileprivate static let otherMethod = WebError(
    .methodNotAllowed, "This page does not work this way", "Use the links and buttons of its page.")

  fileprivate static let tooManyGuesses = WebError(
    .tooManyRequests, "Too many wrong addresses", "Wait half a minute, then run homeline web.")
}
