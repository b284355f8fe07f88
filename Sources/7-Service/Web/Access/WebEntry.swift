internal import Cryptography
internal import HTTP
internal import Platform
internal import Settings
internal import Time

/// How browsers enter: tickets, which become sessions. It outlives the port.
final class WebEntry: Sendable {
  /// The browser that sent a request.
  struct Sender: Sendable {
    /// Its session; nil if it has none.
    let session: WebSession?
    /// Whether it sent a cookie that belongs to no session.
    let hasUnknownCookie: Bool

    /// The error for a page that needs a session.
    var objection: WebError {
      hasUnknownCookie
        ? .guess(.forbidden, "This browser may not enter any more", WebError.howToEnter)
        : WebError(.forbidden, "This browser has not entered yet", WebError.howToEnter)
    }
  }

  let sessions: WebSessions
  private let tickets = Locked(WebTickets())
  private let boot: @Sendable () -> BootInstant

  init(_ sessions: WebSessions, boot: @escaping @Sendable () -> BootInstant) {
    self.sessions = sessions
    self.boot = boot
  }

  /// Makes a ticket.
  /// - Returns: the address to open, on the given origin.
  func address(_ kind: WebTickets.Kind, at origin: ServedOrigin) throws(CryptographyError) -> String {
    let ticket = try tickets.withLock { tickets throws(CryptographyError) in
      try tickets.make(kind, for: origin, at: boot())
    }
    return origin.text + WebAddress("enter").with("ticket", ticket).text
  }

  /// Makes all tickets and sessions invalid.
  /// - Returns: the number of sessions.
  func forget() throws(SystemError) -> Int {
    tickets.withLock { $0.removeAll() }
    return try sessions.endAll()
  }

  /// Finds out which browser sent a request.
  func sender(of request: Request, at origin: ServedOrigin) -> Sender {
    let secrets = SessionCookie.secrets(in: request.headers, at: origin)
    for secret in secrets {
      if let session = sessions.session(secret) { return Sender(session: session, hasUnknownCookie: false) }
    }
    return Sender(session: nil, hasUnknownCookie: !secrets.isEmpty)
  }

  var routes: [Route] {
    [
      // A HEAD request and a page that is fetched in advance would use the ticket up unseen.
      .getOnly("/enter", for: .program) { [self] (request) throws(WebError) in try enter(request) },
      .post("/leave") { [self] (request) throws(WebError) in try leave(request) },
    ]
  }

  private func enter(_ request: WebRequest) throws(WebError) -> WebResponse {
    guard request.isNavigation else { throw .notOpened }
    guard let ticket = request.query["ticket"] else {
      throw WebError(.forbidden, "This address has no ticket", WebError.howToEnter)
    }
    let counts: Bool
    do throws(CryptographyError) {
      counts = try tickets.withLock { tickets throws(CryptographyError) in
        try tickets.take(ticket, at: request.origin, isOwn: request.isOwn, at: boot())
      }
    } catch { throw WebError(.internalServerError, "This browser could not enter", "\(error)") }
    guard counts else { throw .guess(.forbidden, "This ticket is not valid", WebError.aboutTickets) }
    var response = WebResponse.redirect(to: .home)
    response.cookie = SessionCookie.setting(try sessions.begin(), at: request.origin)
    return response
  }

  private func leave(_ request: WebRequest) throws(WebError) -> WebResponse {
    guard let session = request.session else { preconditionFailure("the route needs a session") }
    do throws(SystemError) { try sessions.end(session) } catch {
      throw WebError(
        .serviceUnavailable, "This browser has left until homeline restarts",
        "It can enter again then without a ticket: \(error). Correct this, and run homeline web --forget.")
    }
    var page = WebPage(.left, isInside: false)
    page.status = .ok
    var response = WebResponse.page(page)
    response.cookie = SessionCookie.removing(at: request.origin)
    return response
  }
}

extension WebError {
  fileprivate static let howToEnter = "To enter, run homeline web in a terminal. It opens the page in your browser."
  fileprivate static let aboutTickets =
    "A ticket is valid once, for a minute. Run homeline web again; it opens the page in your browser."
  fileprivate static let notOpened = WebError(
    .forbidden, "Open this address in a tab", "It was fetched by a page or in advance. The ticket is still valid.")
  fileprivate static let left = WebError(.ok, "This browser has left", howToEnter)
}
