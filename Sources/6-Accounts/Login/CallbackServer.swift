package import Accounts
package import Bytes
package import CallbackListener
internal import Dispatch
package import HTTPServer
package import HomelineOAuth
package import Platform
package import Settings
package import Time

/// Receives browser redirects, and passes each callback to the login that it identifies. Which parameters identify a login depends on its
/// OAuth version.
///
/// Waiting logins keep the port and path that they started with, even if the settings change. All work runs on the `RedirectServer`'s
/// serial queue. Logins reply asynchronously, so that no login delays another.
// Sendable because its mutable state is accessed only on `queue`.
package final class CallbackServer: @unchecked Sendable {
  /// Passes a callback to the login that it belongs to. The login calls `reply` once it has checked the callback: with its objection, or
  /// with nil if it accepts the callback.
  package typealias Ask =
    @Sendable (LoginCallback, _ reply: @escaping @Sendable (RedirectServer.Objection?) -> Void) ->
    Void

  /// Identifies a login at this server.
  package typealias Ticket = RedirectServer.Visit

  /// A login that is waiting for its callback, or whose browser has not seen the result yet.
  private struct Login {
    let version: OAuthVersion
    let ask: Ask
    /// The request token or `state` that identifies this login in a callback; nil until it is known.
    var key: String?

    func isNamed(_ key: String) -> Bool { self.key.map { equalInConstantTime($0, key) } ?? false }
  }

  private let queue = DispatchQueue(label: "homeline.callback")
  private let log: Log
  /// Set once, at the end of the initializer.
  private var server: RedirectServer!
  private var settings: CallbackSettings
  private var logins: [Ticket: Login] = [:]
  private var peerNotes = CallbackPeerNotes()

  /// - Parameter log: receives messages about guessed callbacks and other users' connections, at most once per login.
  package init(_ settings: CallbackSettings, clock: WallClock = .system, log: Log = .silent) {
    self.settings = settings
    self.log = log
    server = RedirectServer(
      idlePath: settings.path, texts: .login, clock: clock, on: queue,
      report: { [weak self] event in self?.note(event) },
      route: { [weak self] redirect, reply in self?.route(redirect, reply) })
  }

  /// Starts serving listening sockets that a service manager has passed, even while no login is waiting. Logins use these sockets if
  /// `callback.port` is 0 or the sockets' port. Call once, before the first login.
  package func adopt(_ sockets: AdoptedSockets) throws(OperationError) {
    do throws(ListenError) { try server.adopt(sockets) } catch { throw OperationError(callback: error) }
  }

  /// Adopts a socket for looking up the users of connections, passed by a service manager. It is used for ports opened from now on.
  package func adopt(_ diagnosis: SocketDiagnosis) { server.adopt(diagnosis) }

  /// Whether the configured port is 0, so that each login may get a different port.
  package var portVaries: Bool { queue.sync { settings.port == 0 } }

  /// Sets the settings for later logins. Waiting logins keep theirs.
  package func reconfigure(_ settings: CallbackSettings) {
    queue.sync { self.settings = settings }
    server.setIdlePath(settings.path)
  }

  /// Adds a waiting login, opening the port if necessary. Do not call this from one of this server's callbacks, because it may wait until
  /// the previous login's port is closed.
  /// - Parameters:
  ///   - name: a segment to append to the configured path, which distinguishes this provider's redirects from those of others; nil for
  ///     none.
  ///   - version: the OAuth version; callbacks with parameters from the other version are refused.
  /// - Returns: the redirect address for the provider, and a warning if only one of IPv4 and IPv6 is available.
  /// - Throws: an `OperationError` with the name of the program that uses the port.
  package func open(
    _ name: String? = nil, version: OAuthVersion, _ ask: @escaping Ask
  ) throws(OperationError) -> (ticket: Ticket, address: RequestURL, warning: String?) {
    let settings = queue.sync { self.settings }.below(name)
    let ticket: Ticket
    let port: UInt16
    let warning: ListenError?
    do throws(ListenError) {
      (ticket, port, warning) = try server.open(
        port: settings.port, host: settings.host == .localhost ? .localhost : .literal, path: settings.path)
    } catch { throw OperationError(callback: error) }
    let address: RequestURL
    do throws(RequestURLError) { address = try settings.url(port: port) } catch {
      server.close(ticket, showing: .pending) {}
      throw OperationError(.configuration, "callback.path: \(error)")
    }
    queue.sync {
      logins[ticket] = Login(version: version, ask: ask)
      peerNotes.loginBegan()
    }
    return (ticket, address, warning.map { "Warning: \($0). Callbacks to 127.0.0.1 are not affected." })
  }

  /// Sets the request token or `state` that the login is waiting for. Until then, no callback belongs to the login.
  package func expect(_ key: String, for ticket: Ticket) {
    queue.sync { logins[ticket]?.key = key }
  }

  /// Ends a login, and shows a page in its browser. `closed` runs once a browser that was redirected to the page has fetched it, but after
  /// 5 s at the latest.
  package func close(_ ticket: Ticket, showing page: CallbackPage, closed: @escaping @Sendable () -> Void) {
    server.close(ticket, showing: page) {
      self.logins[ticket] = nil
      closed()
    }
  }

  // MARK: Redirects

  private func route(_ redirect: RedirectServer.Redirect, _ reply: @escaping @Sendable (RedirectServer.Reply) -> Void) {
    let query = CallbackQuery(redirect.query)
    guard let (ticket, callback) = owner(of: redirect, query), let login = logins[ticket] else {
      return reply(.failure(objection(to: query, at: redirect.visits)))
    }
    guard redirect.consumes else { return reply(.success(ticket)) }
    login.ask(callback) { objection in reply(objection.map { .failure($0) } ?? .success(ticket)) }
  }

  /// Finds the login that a callback identifies by the parameters of the login's OAuth version. A refusal not tied to any login is taken to
  /// belong to the only waiting login, if it was opened as a page.
  private func owner(
    of redirect: RedirectServer.Redirect, _ query: CallbackQuery
  ) -> (ticket: Ticket, callback: LoginCallback)? {
    let here = logins.filter { redirect.visits.contains($0.key) }
    for version in OAuthVersion.allCases where here.contains(where: { $0.value.version == version }) {
      let callback = query.callback(of: version)
      if let key = callback.key,
        let ticket = here.first(where: { $0.value.version == version && $0.value.isNamed(key) })?.key
      {
        return (ticket, callback)
      }
    }
    let waiting = here.filter { redirect.waiting.contains($0.key) && $0.value.key != nil }
    guard redirect.isNavigation, waiting.count == 1, let only = waiting.first else { return nil }
    let callback = query.callback(of: only.value.version)
    if case .refusedUnnamed = callback { return (only.key, callback) }
    return nil
  }

  /// Returns the objection to a callback that identifies no login by the parameters of the login's OAuth version.
  private func objection(to query: CallbackQuery, at visits: Set<Ticket>) -> RedirectServer.Objection {
    let callback = query.callback
    if let key = callback.key,
      let login = logins.first(where: { visits.contains($0.key) && $0.value.isNamed(key) })?.value
    {
      return .unusable("It has \(login.version.other.name) parameters, but the login uses \(login.version.name).")
    }
    return switch callback {
    case .granted, .refused: .unknown
    case .refusedUnnamed: .refusalWithoutLogin
    case .unusable(let problem): .unusable(problem)
    }
  }

  // MARK: The log

  private func note(_ event: RedirectServer.Event) {
    switch event {
    case .guessing:
      log(
        .warning,
        "many callbacks do not belong to any login: a program or page on this machine may be guessing. They receive 429; a pending "
          + "login continues, and its own callback is still accepted")
    case .peer(let finding):
      if let (level, sentence) = peerNotes.sentence(for: finding) { log(level, sentence) }
    }
  }
}
