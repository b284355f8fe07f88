package import Control
internal import Dispatch
internal import HTTP
internal import HomelineOAuth
internal import Platform
internal import Settings
internal import Store

extension LoginRequest: HandledRequest {
  /// Begins a login. A second login of the same account ends the first with 75 while that waits for its user: a user who begins again has
  /// lost the first window.
  package func handle(in context: ControlContext, _ responder: ControlResponder) throws(ControlRefusal) {
    let account = try context.account(account)
    let id: String
    do throws(CryptographyError) { id = try Nonce.random().text } catch {
      throw ControlRefusal(.internalServerError, exit: .software, "\(error)")
    }
    let login = ControlLogin(responder)
    context.activities.withLock { $0.begin(.loggingIn, of: account.name) }
    // Before the stream begins, so that the stream's end finds the login.
    context.queue.async { context.logins[id] = login }
    responder.openStream { context.logins[id]?.clientWentAway() }
    responder.send(BegunEvent(login: id, account: account.name.text))
    let timeline = context.keeper.files(of: account).timeline
    let options = LoginOptions(
      timeout: .seconds(timeoutSeconds), isOutOfBand: usesPIN, usesDevice: usesDevice, switchesUser: switchesUser,
      pressesAuthorise: pressesAuthorise)
    let finish: @Sendable (Result<Void, Failure>) -> Void = { result in
      context.queue.async {
        // A client that goes away at the same moment may be a second failure.
        guard context.logins.remove(id) else { return }
        context.activities.withLock { $0.end(.loggingIn, of: account.name) }
        responder.end(result, account: account.name.text)
      }
    }
    do throws(Failure) {
      let session = try context.keeper.login(
        account, options, tell: { responder.send($0, timeline: timeline) }, completion: finish)
      context.queue.async { context.logins[id]?.begin(session) }
    } catch { finish(.failure(error)) }
  }
}

extension LoginInputRequest: HandledRequest {
  package func handle(in context: ControlContext, _ responder: ControlResponder) throws(ControlRefusal) {
    context.queue.async {
      guard let login = context.logins[login] else {
        return responder.refuse(
          ControlRefusal(.notFound, exit: .temporary, "no such login is under way; it may have ended"))
      }
      login.give(input)
      responder.send(Response(status: .noContent))
    }
  }
}

/// The logins under way.
// Sendable because its dictionary is touched on the control server's queue only.
final class ControlLogins: @unchecked Sendable {
  private let queue: DispatchQueue
  private var logins: [String: ControlLogin] = [:]

  init(on queue: DispatchQueue) { self.queue = queue }

  subscript(id: String) -> ControlLogin? {
    get {
      dispatchPrecondition(condition: .onQueue(queue))
      return logins[id]
    }
    set {
      dispatchPrecondition(condition: .onQueue(queue))
      logins[id] = newValue
    }
  }

  /// - Returns: whether it was there.
  func remove(_ id: String) -> Bool {
    dispatchPrecondition(condition: .onQueue(queue))
    return logins.removeValue(forKey: id) != nil
  }
}

/// A login that another process asked for.
// Sendable because everything that changes in it is touched on the control server's queue only.
final class ControlLogin: @unchecked Sendable {
  /// The most lines that are kept for a login that has not begun yet: more than a person can type by then.
  private static let heldLimit = 16

  private let responder: ControlResponder
  private var session: LoginSession?
  private var held: [LoginInputRequest.Input] = []
  private var isGone = false

  init(_ responder: ControlResponder) { self.responder = responder }

  /// Starts the session: it gets the lines that were typed so far, or ends if the client has gone.
  func begin(_ session: LoginSession) {
    self.session = session
    if isGone { return withdraw(session) }
    for input in held { give(input, session) }
    held = []
  }

  func give(_ input: LoginInputRequest.Input) {
    if let session { return give(input, session) }
    if held.count < Self.heldLimit || input == .end { held.append(input) }
  }

  /// The stream has broken off. A login whose browser has come back continues, so that its token is stored.
  func clientWentAway() {
    isGone = true
    if let session { withdraw(session) }
  }

  private func give(_ input: LoginInputRequest.Input, _ session: LoginSession) {
    switch input {
    case .line(let line): session.paste(line)
    case .end: session.endInput()
    }
  }

  private func withdraw(_ session: LoginSession) { session.withdraw("whoever asked for the login has gone") }
}
