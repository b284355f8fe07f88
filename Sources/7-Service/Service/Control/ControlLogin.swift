internal import ControlProtocol
internal import Login

/// A login requested by another process.
// Sendable because its mutable state is accessed only on the control server's queue.
final class ControlLogin: @unchecked Sendable {
  /// The maximum number of lines to keep for a login that has not started yet, more than anyone can type in this time.
  private static let heldLimit = 16

  private let responder: ControlResponder
  private var session: LoginSession?
  private var held: [LoginInputRequest.Input] = []
  private var isGone = false

  init(_ responder: ControlResponder) { self.responder = responder }

  /// Starts the session: it receives the lines typed so far, or ends if the client has disconnected.
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

  /// Handles a broken stream. A login whose browser has already returned continues, so that its token is stored.
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

  private func withdraw(_ session: LoginSession) {
    session.withdraw("the client that requested the login has disconnected")
  }
}
