internal import Control

/// A login that was begun at the control desk.
// Sendable because everything that changes in it is touched on the desk's queue only.
final class ControlLogin: @unchecked Sendable {
  /// The most lines that are kept for a login that has not begun yet: what a person can have typed by then.
  private static let heldLimit = 16

  private let answer: ControlAnswer
  private var session: LoginSession?
  private var held: [ControlRequest.Input] = []
  private var isGone = false

  init(_ answer: ControlAnswer) { self.answer = answer }

  /// The login goes on: it gets what was typed meanwhile, or ends if nobody is there any more.
  func begin(_ session: LoginSession) {
    self.session = session
    if isGone { return withdraw(session) }
    for input in held { give(input, session) }
    held = []
  }

  func give(_ input: ControlRequest.Input) {
    if let session { return give(input, session) }
    if held.count < Self.heldLimit || input == .end { held.append(input) }
  }

  /// The stream has broken off. A login whose browser has come back already goes on, so that its token is kept.
  func clientWentAway() {
    isGone = true
    if let session { withdraw(session) }
  }

  private func give(_ input: ControlRequest.Input, _ session: LoginSession) {
    switch input {
    case .line(let line): session.paste(line)
    case .end: session.endInput()
    }
  }

  private func withdraw(_ session: LoginSession) { session.withdraw("whoever asked for the login has gone") }
}
