package import Accounts
internal import Cryptography
internal import Dispatch
internal import Folders
internal import HTTPServer
package import Platform
package import Settings
internal import Time

/// Opens and closes the port of the web page, and remembers over a restart that `homeline web` has opened it.
///
/// The port is on 127.0.0.1 and ::1. On each of them, a program of another user would receive the browser's cookie.
// Sendable because its mutable state is used only on `queue`.
package final class WebListener: @unchecked Sendable {
  /// The outcome of opening the page.
  package struct Opening: Sendable, Hashable {
    /// The page's address on loopback.
    package let page: String
    /// The addresses that let a browser enter, each once: the one on loopback first. They are secrets.
    package let entries: [String]
  }

  /// The outcome of closing the page.
  package enum Closing: Sendable, Hashable {
    case wasClosed
    /// The page with this address was closed.
    case closed(String)
  }

  private let data: WebData
  private let diagnosis: SocketDiagnosis?
  private let log: Log
  private let rested: @Sendable () -> Void
  private let layout: WebLayout
  private let drafts: DraftStore
  private let entry: WebEntry
  let live: LiveStreams
  private let pages: [Route]
  private let remembered: WebPortFile
  /// Opening and closing wait for each other here, and never for a request.
  private let queue = DispatchQueue(label: "homeline.web.port")
  private var settings: WebSettings?
  private var server: WebServer?
  /// Whether the user has closed the page that the configuration opens.
  private var isClosedByUser = false

  /// - Parameters:
  ///   - data: what pages show.
  ///   - changes: carries out what pages change.
  ///   - news: the changes that open pages show.
  ///   - diagnosis: the socket for asking the kernel for a connection's user, if the service manager passed one.
  ///   - boot: the clock that tickets and drafts run out by.
  ///   - makeAlarm: makes the alarm for drafts; see ``DraftAlarm``.
  ///   - rested: called on any queue when no page is being made any more.
  package init(
    _ data: WebData, _ changes: WebChanges, news: ContentChanges = ContentChanges(), diagnosis: SocketDiagnosis? = nil,
    boot: @escaping @Sendable () -> BootInstant = { .now }, makeAlarm: @escaping DraftAlarm.Make = DraftAlarm.system,
    log: Log, rested: @escaping @Sendable () -> Void = {}
  ) throws(OperationError) {
    self.rested = rested
    self.data = data
    self.diagnosis = diagnosis
    let log = log.prefixed("web page")
    self.log = log
    remembered = WebPortFile(data.layout)
    settings = data.configuration.web
    let sessions = WebSessions(data.layout.webSessions, clock: data.clock, log: log)
    entry = WebEntry(sessions, boot: boot)
    live = LiveStreams(news, for: sessions)
    drafts = DraftStore(data, boot: boot, makeAlarm: makeAlarm)
    do throws(CryptographyError) { layout = WebLayout(files: try StaticFiles()) } catch {
      throw OperationError(.bug, "the web page cannot be made: \(error)")
    }
    pages =
      entry.routes + layout.files.routes + live.routes
      + FeedPages(data: data, tokens: FeedTokens(data.layout.webFeeds, log: log)).routes
      + WebPages.routes(data, changes, drafts)
  }

  /// Opens the page if the configuration or an earlier `homeline web` says so. A failure is only logged: the service works without the page.
  /// Drafts that are older than a day are removed, now and while the service runs.
  package func start() {
    queue.sync { openIfWanted() }
    queue.async { self.drafts.clean() }
  }

  /// Adopts a changed configuration: opens, moves or closes the page.
  /// - Parameter completion: called on any queue when this is done.
  package func adopt(_ settings: WebSettings?, completion: @escaping @Sendable () -> Void = {}) {
    queue.async {
      defer { completion() }
      let former = self.settings
      self.settings = settings
      if settings != former { self.isClosedByUser = false }
      if let server = self.server {
        server.adopt(settings?.origins ?? [])
        guard server.port != self.wantedPort else { return }
        self.shut(server)
      }
      self.openIfWanted()
    }
  }

  /// Opens the page if it is not open, and makes a ticket for a browser.
  /// - Parameter isPrinted: whether the user gets the addresses, and not the browser's program: then also those of front servers.
  package func open(isPrinted: Bool) throws(OperationError) -> Opening {
    let outcome = queue.sync { Result { () throws(OperationError) in try opening(isPrinted: isPrinted) } }
    return try outcome.get()
  }

  /// Closes the page, and forgets that it was opened. Browsers may still show it when it is opened again.
  package func close() throws(OperationError) -> Closing {
    let outcome = queue.sync { Result { () throws(OperationError) in try closing() } }
    return try outcome.get()
  }

  /// Makes all browsers enter again.
  /// - Returns: the number of browsers that could show the page.
  package func forget() throws(OperationError) -> Int {
    do throws(SystemError) { return try entry.forget() } catch {
      throw OperationError(
        .inputOutput, "until the service restarts, all browsers must enter again; then they are known again: \(error)")
    }
  }

  /// Closes the port. Responses in progress have this long to complete.
  package func stop(grace: Duration, completion: @escaping @Sendable () -> Void) {
    queue.async {
      guard let server = self.server.take() else { return completion() }
      server.stop(grace: grace, unbound: {}, completion: completion)
    }
  }

  // MARK: On the queue

  /// The port that the page belongs on; nil if nobody wants the page.
  private var wantedPort: UInt16? { settings?.port ?? remembered.port }

  private func openIfWanted() {
    guard server == nil, !isClosedByUser, let port = wantedPort else { return }
    do throws(OperationError) {
      let server = try listen(port)
      self.server = server
      log(.notice, "open at \(Self.page(server.port))")
    } catch { log(.error, "\(error.message)") }
  }

  private func opening(isPrinted: Bool) throws(OperationError) -> Opening {
    let open = self.server
    let server = if let open { open } else { try listenAnywhere() }
    if settings == nil {
      do throws(OperationError) { try remember(server.port) } catch {
        // The user hears that the page was not opened, so no port may stay open.
        if open == nil { shut(server) }
        throw error
      }
    }
    self.server = server
    isClosedByUser = false
    server.ticketMade()
    do throws(CryptographyError) {
      let loopback = ServedOrigin.loopback(port: server.port)
      var entries = [try entry.address(isPrinted ? .printed : .argument, at: loopback)]
      if isPrinted {
        for origin in settings?.origins ?? [] {
          entries.append(try entry.address(.printed, at: .front(origin, port: server.port)))
        }
      }
      return Opening(page: Self.page(server.port), entries: entries)
    } catch { throw OperationError(.bug, "no ticket could be made: \(error)") }
  }

  private func closing() throws(OperationError) -> Closing {
    isClosedByUser = true
    let former = server
    if let former { shut(former) }
    do throws(SystemError) { try remembered.remove() } catch {
      throw OperationError(.inputOutput, "the page is closed, but will be opened again at the next start: \(error)")
    }
    return former.map { .closed(Self.page($0.port)) } ?? .wasClosed
  }

  /// Closes a port and waits until another socket can be bound to it.
  private func shut(_ server: WebServer) {
    self.server = nil
    let unbound = DispatchSemaphore(value: 0)
    server.stop(grace: .seconds(1), unbound: { unbound.signal() }, completion: {})
    unbound.wait()
    log(.notice, "closed at \(Self.page(server.port))")
  }

  /// Opens the wanted port or, if nobody has chosen one, the default port or a free one.
  private func listenAnywhere() throws(OperationError) -> WebServer {
    if let port = wantedPort { return try listen(port) }
    do throws(ListenError) { return try serve(ProgramDefaults.webPort) } catch {
      guard case .portInUse = error else { throw OperationError(webPage: error, isConfigured: false) }
      return try listen(0)
    }
  }

  private func remember(_ port: UInt16) throws(OperationError) {
    do throws(SystemError) { try remembered.write(port) } catch {
      throw OperationError(.inputOutput, "the page's port could not be stored: \(error)")
    }
  }

  private func listen(_ port: UInt16) throws(OperationError) -> WebServer {
    do throws(ListenError) { return try serve(port) } catch {
      throw OperationError(webPage: error, isConfigured: settings != nil)
    }
  }

  /// - Parameter port: 0 for a free one.
  private func serve(_ port: UInt16) throws(ListenError) -> WebServer {
    let sockets = try ListeningSockets.loopback(port: port, host: .localhost)
    guard let bound = sockets.port else { preconditionFailure("TCP sockets have a port") }
    let server = WebServer(
      sockets, at: bound, origins: settings?.origins ?? [], entry: entry, pages: pages, layout: layout,
      live: live, diagnosis: diagnosis, clock: data.clock, log: log, rested: rested)
    try server.start()
    return server
  }

  private static func page(_ port: UInt16) -> String { ServedOrigin.loopback(port: port).text + "/" }
}

extension OperationError {
  /// - Parameter isConfigured: whether the configuration names the port.
  fileprivate init(webPage error: ListenError, isConfigured: Bool) {
    guard case .portInUse(let address, let port) = error else {
      let kind: Kind = error.exitCode == .configuration ? .configuration : .cannotCreate
      self.init(kind, "the web page could not be opened: \(error)")
      return
    }
    let holder = PortHolder.of(port: port).map { "\($0)" } ?? "another program"
    let choice =
      isConfigured
      ? "set another web.port in the configuration" : "choose a free port: homeline web --close, then homeline web"
    self.init(
      .cannotCreate, "the web page's port \(address.text):\(port) is taken by \(holder). Stop it, or \(choice)")
  }
}
