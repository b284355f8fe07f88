package import Dispatch
internal import HTTP
package import HTTPServer
package import Platform
package import Time

/// Serves the browsers that return from providers, for any number of waiting logins.
///
/// A login opens a ``Visit``, which keeps its port and path until it is closed. The server itself answers requests that cannot be
/// redirects, and passes redirects to its ``Router``. The server sends the browser of an accepted redirect to a page with a random name,
/// and delivers that page once the login has ended. Everything runs on one serial queue and never blocks it.
// Sendable because all mutable state is accessed only on `queue`.
package final class RedirectServer: @unchecked Sendable {
  /// Identifies a login at this server.
  package struct Visit: Sendable, Hashable { fileprivate let number: Int }

  /// A redirect, with the visits that it may belong to.
  package struct Redirect: Sendable {
    /// The part after the `?`, as received.
    package let query: String?
    /// Whether the user may see the response as a page, because the request is not for an image and not from a script.
    package let isNavigation: Bool
    /// Whether the request may have an effect; a HEAD request may not.
    package let consumes: Bool
    /// The visits with the port and path that the redirect arrived on. A redirect to a different path belongs to a different provider (RFC
    /// 8252 §8.10).
    package let visits: Set<Visit>
    /// Those of these visits that are still open.
    package let waiting: Set<Visit>
  }

  /// The reason a redirect does not belong to a login.
  package enum Objection: Error, Sendable, Equatable {
    /// The redirect does not identify a login. The response is 404, and after many such redirects 429.
    case unknown
    /// The redirect cannot be used, for the reason in this sentence. The response is 400.
    case unusable(String)
  }

  /// The visit that the redirect belongs to, or the objection to the redirect. The browser is sent to the visit's final page.
  package typealias Reply = Result<Visit, Objection>

  /// Decides which visit a redirect belongs to. The router is called on the server's queue, and replies once, immediately or later, from
  /// any queue.
  package typealias Router = @Sendable (Redirect, _ reply: @escaping @Sendable (Reply) -> Void) -> Void

  /// Events that the creator of the server may want to log, reported on the server's queue.
  package enum Event: Sendable, Equatable {
    /// Many requests in a row belonged to no login. Reported once for each login.
    case guessing
    case peer(TCPPeerFinding)
  }

  /// How long a port stays open for a browser that was redirected to its page but has not fetched it.
  private static let linger = Duration.seconds(5)

  private struct VisitState {
    let port: LoopbackPort
    let path: String
    let resultName: String
    /// The number of tabs that were redirected to the page but have not received it yet.
    var tabsDue = 0
    var page: CallbackPage?
    /// Browsers that are waiting for the page.
    var waiting: [Exchange] = []
    var closed: (@Sendable () -> Void)?
    var closesAt: BootInstant?
  }

  private let queue: DispatchQueue
  private let texts: Texts
  private let tooManyGuesses: Response
  private let route: Router
  private let report: @Sendable (Event) -> Void
  private var configuration: ServerConfiguration
  private let ports = LoopbackPorts()
  /// The path whose requests are treated as redirects even while no visit is open.
  private var idlePath: String
  private var visits: [Visit: VisitState] = [:]
  private var lastVisit = 0
  private var alarm: Alarm?
  private var guesses = GuessLimit()

  /// - Parameters:
  ///   - idlePath: the callback path while no visit is open.
  ///   - queue: a serial queue; the router and all callbacks run on it.
  package init(
    idlePath: String, texts: Texts, clock: WallClock = .system, on queue: DispatchQueue,
    report: @escaping @Sendable (Event) -> Void, route: @escaping Router
  ) {
    self.queue = queue
    self.idlePath = idlePath
    self.texts = texts
    self.report = report
    self.route = route
    tooManyGuesses = Self.tooManyGuesses(texts)
    let date = DateField(clock)
    configuration = ServerConfiguration(
      limits: .callback, peers: .sameUserOverTCP(unknown: .accepted), found: { report(.peer($0)) },
      forbidden: { texts.otherUser.response(.forbidden, for: texts.application) },
      date: { date.current })
  }

  // MARK: Opening and closing

  /// Starts serving sockets opened by a service manager, whether or not a login is waiting. Call before the first visit.
  package func adopt(_ sockets: AdoptedSockets) throws(ListenError) {
    let outcome = queue.sync { Result { () throws(ListenError) in try ports.adopt(sockets, makeServer) } }
    try outcome.get()
  }

  /// Adopts a socket from a service manager, for querying the kernel for a connection's user. It is used for ports opened from
  /// now on.
  package func adopt(_ diagnosis: SocketDiagnosis) { queue.sync { configuration.diagnosis = diagnosis } }

  /// Changes the callback path that is used while no login is waiting.
  package func setIdlePath(_ path: String) { queue.sync { idlePath = path } }

  private enum Opening {
    case opened(Visit, port: UInt16, warning: ListenError?)
    /// The port is being closed after the last visit; it can be opened once the group is empty.
    case wait(DispatchGroup)
  }

  /// Opens a visit, and its port if it is not open yet. Do not call this on the queue, because it may wait briefly until the port of the
  /// previous visit is closed.
  /// - Parameters:
  ///   - wanted: the port on 127.0.0.1 and ::1; 0 for any free port.
  ///   - path: the callback path, which begins with `/`.
  /// - Returns: the visit, its port, and a warning if a newly opened port has a problem that does not prevent its use.
  package func open(
    port wanted: UInt16, host: ListeningSockets.Host, path: String
  ) throws(ListenError) -> (visit: Visit, port: UInt16, warning: ListenError?) {
    while true {
      let outcome = queue.sync {
        Result { () throws(ListenError) in try self.tryToOpen(port: wanted, host: host, path: path) }
      }
      switch try outcome.get() {
      case .opened(let visit, let port, let warning): return (visit, port, warning)
      case .wait(let group): group.wait()
      }
    }
  }

  private func tryToOpen(
    port wanted: UInt16, host: ListeningSockets.Host, path: String
  ) throws(ListenError) -> Opening {
    if let group = ports.closing(wanted) { return .wait(group) }
    let (port, isNew) = try ports.port(wanted, host, makeServer)
    lastVisit += 1
    let visit = Visit(number: lastVisit)
    visits[visit] = VisitState(port: port, path: path, resultName: Self.randomName())
    guesses.loginBegan()
    return .opened(visit, port: port.number, warning: isNew ? port.warning : nil)
  }

  /// Returns 128 random bits in hexadecimal digits. On Linux the system's generator is getrandom(2).
  private static func randomName() -> String {
    let digits = [UInt64.random(in: 0 ... .max), .random(in: 0 ... .max)].map { number in
      let text = String(number, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    return digits.joined()
  }

  /// Ends a visit. `closed` runs on the queue when every browser that was redirected to the page has fetched it, but after 5 s at the
  /// latest. If this was the last visit on its port, the port has been closed by then.
  package func close(_ visit: Visit, showing page: CallbackPage, closed: @escaping @Sendable () -> Void) {
    queue.async { self.end(visit, page, closed) }
  }

  // MARK: Requests

  private func makeServer(at sockets: consuming ListeningSockets, _ port: UInt16) -> Server {
    Server(sockets, on: queue, configuration: configuration) { [weak self] request, exchange in
      self?.serve(request, at: port, exchange)
    }
  }

  private func serve(_ request: Request, at port: UInt16, _ exchange: Exchange) {
    let rules = rules(for: request.target.path, at: port)
    switch rules.decide(request) {
    case .refuse(let status, let page): respond(exchange, page, status)
    case .result(let name): showResult(name, to: exchange, isRead: request.method == .get)
    case .callback(let query, let isNavigation, let consumes):
      let here = visits.filter { $0.value.port.number == port && $0.value.path == rules.path }
      let redirect = Redirect(
        query: query, isNavigation: isNavigation, consumes: consumes, visits: Set(here.keys),
        waiting: Set(here.lazy.filter { $0.value.page == nil }.map(\.key)))
      route(redirect) { reply in self.queue.async { self.respond(exchange, reply, rules, consumes: consumes) } }
    }
  }

  /// Returns the rules for the visit whose path the request uses; those for the idle path if there is no such visit.
  private func rules(for path: String, at port: UInt16) -> CallbackRules {
    let paths = visits.values.lazy.filter { $0.port.number == port }.map(\.path)
    return paths.map { CallbackRules(path: $0, port: port) }.first { $0.covers(path) }
      ?? CallbackRules(path: idlePath, port: port)
  }

  private func respond(_ exchange: Exchange, _ page: CallbackPage, _ status: StatusCode) {
    exchange.respond(page.response(status, for: texts.application))
  }

  private func respond(_ exchange: Exchange, _ reply: Reply, _ rules: CallbackRules, consumes: Bool) {
    switch reply {
    case .failure(.unusable(let reason)): respond(exchange, .unusable(reason), .badRequest)
    case .failure(.unknown): answerGuess(exchange)
    case .success(let visit):
      guard let state = visits[visit] else { return respond(exchange, texts.unknown, .notFound) }
      if consumes { visits[visit]?.tabsDue += 1 }
      exchange.respond(rules.redirect(toResult: state.resultName))
    }
  }

  /// Answers a request that belongs to no login. After many such requests, the response is always the same.
  private func answerGuess(_ exchange: Exchange) {
    switch guesses.judge(at: .now) {
    case .allowed: respond(exchange, texts.unknown, .notFound)
    case .refused(let isFirst):
      if isFirst { report(.guessing) }
      exchange.respond(tooManyGuesses, closing: true)
    }
  }

  /// Returns the response to a refused guess. It is created only once, because a refused guess should cost as little as possible.
  private static func tooManyGuesses(_ texts: Texts) -> Response {
    var response = CallbackPage.tooManyGuesses.response(.tooManyRequests, for: texts.application)
    response.headers.set("Retry-After", FieldValue(GuessLimit.capacity))
    return response
  }

  // MARK: The final page

  private func showResult(_ name: String, to exchange: Exchange, isRead: Bool) {
    // A dictionary compares names by hash first, with this process's own seed, so the time taken reveals nothing about the names.
    let names = Dictionary(visits.map { ($0.value.resultName, $0.key) }, uniquingKeysWith: { first, _ in first })
    guard let visit = names[name] else { return answerGuess(exchange) }
    // The browser waits until the login has ended, because the page shows its outcome.
    guard visits[visit]?.page != nil, isRead else {
      if isRead { visits[visit]?.waiting.append(exchange) } else { respond(exchange, .pending, .ok) }
      return
    }
    deliver(to: exchange, visit)
  }

  private func deliver(to exchange: Exchange, _ visit: Visit) {
    guard let page = visits[visit]?.page else { return }
    exchange.respond(page.response(.ok, for: texts.application)) { _ in
      if let due = self.visits[visit]?.tabsDue { self.visits[visit]?.tabsDue = max(0, due - 1) }
      self.removeFinished()
    }
  }

  private func end(_ visit: Visit, _ page: CallbackPage, _ closed: @escaping @Sendable () -> Void) {
    guard var state = visits[visit], state.page == nil else { return closed() }
    state.page = page
    state.closed = closed
    state.closesAt = .now + Self.linger
    let waiting = state.waiting
    state.waiting = []
    visits[visit] = state
    for exchange in waiting { deliver(to: exchange, visit) }
    removeFinished()
  }

  private func removeFinished() {
    let now = BootInstant.now
    for (visit, state) in visits where state.page != nil {
      guard state.tabsDue == 0 || state.closesAt! <= now else { continue }
      visits[visit] = nil
      // When the last visit of a port ends, the port is closed.
      if visits.values.contains(where: { $0.port === state.port }) {
        state.closed?()
      } else {
        ports.close(state.port, closed: state.closed)
      }
    }
    rearm()
  }

  private func rearm() {
    let next = visits.values.compactMap(\.closesAt).min()
    if next != nil, alarm == nil {
      // If no descriptor is left for the timer, the port stays open until the program exits. This does no harm.
      alarm = try? Alarm(on: queue) { [weak self] in self?.removeFinished() }
    }
    alarm?.set(next)
    if next == nil { alarm = nil }
  }
}
