package import CivilTime
internal import Dispatch
internal import HTTP
package import HomelineOAuth
package import HTTPServer
package import Platform
package import Settings

/// Where browsers come back to: it keeps the callback port while a login waits, and brings each callback to the login it names.
///
/// Logins that wait keep the port and the path that they began with, also when the settings change meanwhile. Everything happens on one
/// serial queue. Logins are asked and answer asynchronously, so none holds up another.
// Sendable because everything that changes in it is touched on `queue` only.
package final class CallbackDesk: @unchecked Sendable {
  /// Asked with a callback that can only be this login's; answers when it has looked at it.
  package typealias Ask = @Sendable (LoginCallback, _ reply: @escaping @Sendable (CallbackReply) -> Void) -> Void

  /// How long the port stays open for a browser that was sent to its page and has not fetched it (contract: 5 s at most).
  private static let linger = Duration.seconds(5)

  /// A login that waits, or whose browser has not yet seen how it ended.
  private struct Visit {
    let version: OAuthVersion
    /// By what a callback names this login; `nil` before it can.
    var key: String?
    let port: CallbackPort
    let path: String
    let resultName: String
    let ask: Ask
    /// How many tabs were sent to the page and have not had it yet.
    var tabsDue = 0
    var page: ResultPage?
    /// Browsers that wait for the page.
    var waiting: [Exchange] = []
    var closed: (@Sendable () -> Void)?
    var closesAt: BootInstant?

    func isNamed(_ key: String) -> Bool { self.key.map { equalInConstantTime($0, key) } ?? false }
  }

  /// Names a login at this desk.
  package struct Ticket: Sendable, Hashable { fileprivate let number: Int }

  /// What came of trying to open.
  private enum Opening {
    case opened(Ticket, RequestURL, warning: String?)
    /// The port is being closed behind the last login; it can be had once the group is left.
    case wait(DispatchGroup)
  }

  private var settings: CallbackSettings
  private let queue: DispatchQueue
  private let now: WallClock
  private let log: Log
  private lazy var ports = CallbackPorts(
    on: queue, clock: now, found: { [weak self] finding in self?.note(finding) }
  ) { [weak self] request, port, exchange in
    self?.serve(request, at: port, exchange)
  }
  private var visits: [Ticket: Visit] = [:]
  private var lastTicket = 0
  private var alarm: Alarm?
  private var guesses = GuessLimit()
  private var peerNotes = CallbackPeerNotes()

  /// - Parameter log: told, once a login, of somebody who guesses.
  package init(_ settings: CallbackSettings, clock: WallClock = .system, log: Log = .silent) {
    self.settings = settings
    self.log = log
    now = clock
    queue = DispatchQueue(label: "homeline.callback")
  }

  /// Serves listening sockets that a service manager handed over, from now on and whether a login waits or not. Logins
  /// whose `callback.port` is theirs, or 0, come back to them. To be called once, before the first login.
  package func adopt(_ sockets: AdoptedSockets) throws(Failure) {
    let outcome = queue.sync { Result { () throws(Failure) in try ports.adopt(sockets) } }
    try outcome.get()
  }

  /// Asks the kernel whose connections are over a socket that a service manager handed over, at ports that are opened from now on.
  package func adopt(_ diagnosis: SocketDiagnosis) { queue.sync { ports.diagnosis = diagnosis } }

  /// Whether logins that begin now get another port.
  package var portVaries: Bool { queue.sync { settings.port == 0 } }

  /// Has later logins use other settings; those that wait keep theirs.
  package func reconfigure(_ settings: CallbackSettings) { queue.sync { self.settings = settings } }

  /// Takes a place in the queue of waiting logins, and opens the port for the first of them. Not to be called on the desk's own
  /// callbacks: it may wait a moment for the port of the login before to be closed.
  /// - Parameters:
  ///   - name: a segment of the path behind the configured one, for a login whose provider lets it have a path of its own.
  ///   - version: of OAuth; callbacks with the parameters of the other one are refused.
  /// - Returns: the address to give to the provider to redirect to, and a warning if only one stack could be had.
  /// - Throws: `Failure` that names who holds the port.
  package func open(
    _ name: String? = nil, version: OAuthVersion, _ ask: @escaping Ask
  ) throws(Failure) -> (ticket: Ticket, address: RequestURL, warning: String?) {
    while true {
      let outcome: Result<Opening, Failure> = queue.sync {
        do throws(Failure) { return .success(try self.tryToOpen(name, version, ask)) } catch { return .failure(error) }
      }
      switch try outcome.get() {
      case .opened(let ticket, let address, let warning): return (ticket, address, warning)
      case .wait(let group): group.wait()
      }
    }
  }

  /// Says which request token or `state` the login waits for. Before that no callback can be its own.
  package func expect(_ key: String, for ticket: Ticket) {
    queue.sync { visits[ticket]?.key = key }
  }

  /// Says how the login ended. `closed` runs once the browser, if one was sent to the page, has fetched it, or after 5 s.
  package func close(_ ticket: Ticket, showing page: ResultPage, closed: @escaping @Sendable () -> Void) {
    queue.async { self.end(ticket, page, closed) }
  }

  // MARK: The port

  private func tryToOpen(
    _ segment: String?, _ version: OAuthVersion, _ ask: @escaping Ask
  ) throws(Failure) -> Opening {
    if let group = ports.closing(settings.port) { return .wait(group) }
    let name: String
    do throws(CryptographyError) { name = try Nonce.random().text } catch { throw Failure(.bug, "\(error)") }
    let (port, isNew) = try ports.port(for: settings)
    let address: RequestURL
    let settings = settings.below(segment)
    do throws(RequestURLError) { address = try settings.url(port: port.number) } catch {
      closeIfUnused(port, for: nil)
      throw Failure(.configuration, "callback.path: \(error)")
    }
    lastTicket += 1
    let ticket = Ticket(number: lastTicket)
    visits[ticket] = Visit(version: version, port: port, path: settings.path, resultName: name, ask: ask)
    guesses.loginBegan()
    peerNotes.loginBegan()
    let warning = isNew ? port.warning.map { "Warning: \($0). Callbacks to 127.0.0.1 are not affected." } : nil
    return .opened(ticket, address, warning: warning)
  }

  /// The last login takes its port with it.
  private func closeIfUnused(_ port: CallbackPort, for closed: (@Sendable () -> Void)?) {
    if visits.values.contains(where: { $0.port === port }) { closed?() } else { ports.close(port, closed: closed) }
  }

  // MARK: Requests

  /// Says that others come to the port, or that this cannot be known.
  private func note(_ finding: TCPPeerFinding) {
    if let (level, sentence) = peerNotes.sentence(for: finding) { log(level, sentence) }
  }

  private func serve(_ request: Request, at port: UInt16, _ exchange: Exchange) {
    let rules = rules(for: request.target.path, at: port)
    switch rules.decide(request) {
    case .answer(let response): exchange.answer(response)
    case .result(let name): showResult(name, to: exchange, isRead: request.method == .get)
    case .callback(let query, let isNavigation, let consumes):
      guard let (ticket, callback) = owner(of: query, at: rules, isNavigation: isNavigation), let visit = visits[ticket]
      else { return answerStranger(query, at: rules, exchange) }
      guard consumes else { return exchange.answer(rules.redirect(toResult: visit.resultName)) }
      visit.ask(callback) { reply in self.queue.async { self.answer(reply, ticket, rules, exchange) } }
    }
  }

  /// The rules of whichever login's path the request is for; those of the present settings where it is for none.
  private func rules(for path: String, at port: UInt16) -> CallbackRules {
    let paths = visits.values.lazy.filter { $0.port.number == port }.map(\.path)
    return paths.map { CallbackRules(path: $0, port: port) }.first { $0.concern(path) }
      ?? CallbackRules(path: settings.path, port: port)
  }

  /// The login that the callback names, in the parameters of its own version of OAuth; for a refusal without a name the only one that waits,
  /// if a person can have sent it.
  private func owner(
    of query: String?, at rules: CallbackRules, isNavigation: Bool
  ) -> (ticket: Ticket, callback: LoginCallback)? {
    let visits = visits(at: rules)
    for version in OAuthVersion.allCases where visits.contains(where: { $0.value.version == version }) {
      let callback = LoginCallback(query: query, version: version)
      if let key = callback.key,
        let ticket = visits.first(where: { $0.value.version == version && $0.value.isNamed(key) })?.key
      {
        return (ticket, callback)
      }
    }
    let waiting = visits.filter { $0.value.page == nil && $0.value.key != nil }
    guard isNavigation, waiting.count == 1, let only = waiting.first else { return nil }
    let callback = LoginCallback(query: query, version: only.value.version)
    if case .refusedUnnamed = callback { return (only.key, callback) }
    return nil
  }

  /// An answer that came in on another path than the login's own is another provider's (RFC 8252 §8.10).
  private func visits(at rules: CallbackRules) -> [Ticket: Visit] {
    visits.filter { $0.value.port.number == rules.port && $0.value.path == rules.path }
  }

  private func answerStranger(_ query: String?, at rules: CallbackRules, _ exchange: Exchange) {
    let callback = LoginCallback(query: query)
    if let key = callback.key, let visit = visits(at: rules).values.first(where: { $0.isNamed(key) }) {
      let words = "It has the parameters of \(visit.version.other.name), and the login uses \(visit.version.name)."
      return exchange.answer(CallbackRules.answer(.unusable(words))!)
    }
    switch callback {
    case .granted, .refused: answerGuess(exchange)
    case .refusedUnnamed: exchange.answer(CallbackRules.answer(.unusable("The refusal names no login."))!)
    case .unusable(let problem): exchange.answer(CallbackRules.answer(.unusable(problem))!)
    }
  }

  /// Answers what names nobody; who tries many names is told no more than that they are too many.
  private func answerGuess(_ exchange: Exchange) {
    switch guesses.judge(at: .now) {
    case .answer: exchange.answer(CallbackRules.answer(.unknownToken)!)
    case .refuse(let isFirst):
      if isFirst { log(.warning, CallbackRules.guessWarning) }
      exchange.answer(CallbackRules.tooManyGuesses, closing: true)
    }
  }

  private func answer(_ reply: CallbackReply, _ ticket: Ticket, _ rules: CallbackRules, _ exchange: Exchange) {
    if let response = CallbackRules.answer(reply) { return exchange.answer(response) }
    guard let visit = visits[ticket] else {
      return exchange.answer(CallbackRules.answer(.unknownToken)!)
    }
    visits[ticket]?.tabsDue += 1
    exchange.answer(rules.redirect(toResult: visit.resultName))
  }

  // MARK: The page at the end

  private func showResult(_ name: String, to exchange: Exchange, isRead: Bool) {
    guard let ticket = visits.first(where: { equalInConstantTime($0.value.resultName, name) })?.key else {
      return answerGuess(exchange)
    }
    // Until the login has ended the browser waits: what the page says is the outcome of the exchange itself.
    guard visits[ticket]?.page != nil, isRead else {
      if isRead { visits[ticket]?.waiting.append(exchange) } else { exchange.answer(ResultPage("Login").response(.ok)) }
      return
    }
    deliver(to: exchange, ticket)
  }

  private func deliver(to exchange: Exchange, _ ticket: Ticket) {
    guard let page = visits[ticket]?.page else { return }
    exchange.answer(page.response(.ok)) { _ in
      if let due = self.visits[ticket]?.tabsDue { self.visits[ticket]?.tabsDue = max(0, due - 1) }
      self.closeWhatIsDone()
    }
  }

  private func end(_ ticket: Ticket, _ page: ResultPage, _ closed: @escaping @Sendable () -> Void) {
    guard var visit = visits[ticket], visit.page == nil else { return closed() }
    visit.page = page
    visit.closed = closed
    visit.closesAt = .now + CallbackDesk.linger
    let waiting = visit.waiting
    visit.waiting = []
    visits[ticket] = visit
    for exchange in waiting { deliver(to: exchange, ticket) }
    closeWhatIsDone()
  }

  private func closeWhatIsDone() {
    let now = BootInstant.now
    for (ticket, visit) in visits where visit.page != nil {
      guard visit.tabsDue == 0 || visit.closesAt! <= now else { continue }
      visits[ticket] = nil
      closeIfUnused(visit.port, for: visit.closed)
    }
    rearm()
  }

  private func rearm() {
    let next = visits.values.compactMap(\.closesAt).min()
    if next != nil, alarm == nil {
      // Without a descriptor for the timer the port closes with the program, no worse.
      alarm = try? Alarm(on: queue) { [weak self] in self?.closeWhatIsDone() }
    }
    alarm?.set(next)
    if next == nil { alarm = nil }
  }
}
