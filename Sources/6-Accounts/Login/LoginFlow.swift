package import Accounts
package import Bytes
package import CallbackListener
internal import HomelineOAuth
package import Storage
package import Timeline

/// A login as a state machine that turns events into actions. It has no sockets, files or clocks. All kinds of login use it, including the
/// three steps of RFC 5849 §2 and the authorisation code grant of RFC 6749 §4.1.
///
/// A callback must identify this login by the request token or the `state`. The verifier or code is exchanged only once. Unrelated
/// callbacks do not end the wait for the user.
package struct LoginFlow: Sendable {
  /// The state of the login. Each case contains only the values that it needs, so that no step can run twice.
  private enum State {
    case new
    case preparing
    case waiting(LoginIssue)
    case exchanging(LoginIssue)
    case confirming(LoginIssue, TokenGrant, named: User?)
    case keeping(LoginIssue)
    case ended(LoginIssue?)
  }

  /// An event that affects the login.
  package enum Event: Sendable {
    case begun
    case issued(LoginIssue)
    /// The browser was redirected back. `mayRefuseUnnamed` is true if a refusal not tied to any login can only belong to this login.
    case callback(LoginCallback, mayRefuseUnnamed: Bool)
    case pasted(LoginPaste)
    /// The user's input has ended.
    case inputEnded
    /// The token was issued. `named` is the token's user, if the token response contains it.
    case exchanged(TokenGrant, named: User?)
    case confirmed(User)
    case kept
    /// The current step failed.
    case failed(OperationError)
    /// In a login without a redirect, the provider reported that the user refused.
    case refused(String)
    case timedOut
    /// The login was abandoned for this reason.
    case givenUp(OperationError)
  }

  /// An action to carry out. An event's actions are carried out in order.
  package enum Action: Sendable, Equatable {
    /// Prepare the authorisation, for example by obtaining a request token or a device code, or by creating an address with a `state`.
    case prepare
    /// Send the user to the provider.
    case sendUser(LoginIssue)
    /// Exchange the user's verifier or code for a token, once.
    case exchange(proof: Secret)
    /// Request the token's user from the provider.
    case confirm(TokenGrant)
    /// Store the token and its user.
    case keep(TokenGrant, User)
    /// Reply to the browser that was redirected back: with the objection to its callback, or with nil if the callback is accepted.
    case answerBrowser(RedirectServer.Objection?)
    /// Show a message to the user at the terminal.
    case tell(String)
    case end(LoginEnd)
  }

  /// Whether the provider shows a verifier or code for the user to type in, instead of redirecting the browser.
  private let isOutOfBand: Bool
  private var state = State.new
  /// Whether the user's input has ended. If standard input is `/dev/null`, it ends before the authorisation has been prepared.
  private var inputHasEnded = false
  /// Typed text that does not look like a verifier or a code. It is used if the user enters it again.
  private var doubted: Secret?
  /// A password or a token that arrived before the prompt for it, for example from a pipe.
  private var earlyPassword: Secret?
  /// Whether the login ended while waiting for the user, and the server did not react to the user's visit.
  package private(set) var endedUnanswered = false

  package init(isOutOfBand: Bool) { self.isOutOfBand = isOutOfBand }

  package mutating func handle(_ event: Event) -> [Action] {
    switch (state, event) {
    case (.new, .begun):
      state = .preparing
      return [.prepare]
    case (.preparing, .issued(let issue)):
      state = .waiting(issue)
      if isOutOfBand, inputHasEnded { return endWithoutPIN() }
      if issue.isTyped, let earlyPassword {
        state = .exchanging(issue)
        return [.exchange(proof: earlyPassword)]
      }
      if issue.isTyped, inputHasEnded { return endWithoutInput(issue) }
      return (issue.warning.map { [.tell($0)] } ?? []) + [.sendUser(issue)]
    case (.waiting(let issue), .pasted(let pasted)): return paste(pasted, issue)
    case (.preparing, .pasted(.password(let password))):
      earlyPassword = password
      return []
    case (.waiting(let issue), .callback(let callback, let mayRefuseUnnamed)):
      return redirect(callback, issue, mayRefuseUnnamed: mayRefuseUnnamed)
    case (_, .callback(let callback, _)): return [.answerBrowser(late(callback))]
    case (.waiting, .inputEnded) where isOutOfBand: return endWithoutPIN()
    case (.waiting(let issue), .inputEnded) where issue.isTyped: return endWithoutInput(issue)
    case (_, .inputEnded):
      inputHasEnded = true
      return []
    case (.waiting, .timedOut): return end(.timedOut)
    case (.new, .givenUp(let failure)), (.preparing, .givenUp(let failure)), (.waiting, .givenUp(let failure)):
      return end(.failed(failure))
    case (.waiting(let issue), .exchanged(let grant, let named)),
      (.exchanging(let issue), .exchanged(let grant, let named)):
      state = .confirming(issue, grant, named: named)
      return [.confirm(grant)]
    case (.waiting, .refused(let reason)): return end(.refused(reason))
    case (.confirming(let issue, let grant, _), .confirmed(let user)):
      state = .keeping(issue)
      return [.keep(grant, user)]
    case (.confirming(let issue, let grant, let named), .failed(let failure)):
      // The token is valid, and the provider might not issue another token. If the token response contains the user, the token can be
      // stored.
      guard failure.isPassing, let named else { return end(.failed(failure)) }
      state = .keeping(issue)
      return [
        .tell("\(failure.message); the provider's token response identifies the user, so the token is kept"),
        .keep(grant, named),
      ]
    case (.keeping, .kept): return end(.authorised)
    case (.preparing, .failed(let failure)), (.waiting, .failed(let failure)), (.exchanging, .failed(let failure)),
      (.keeping, .failed(let failure)):
      return end(.failed(failure))
    default: return []
    }
  }

  private mutating func redirect(
    _ callback: LoginCallback, _ issue: LoginIssue, mayRefuseUnnamed: Bool
  ) -> [Action] {
    switch callback {
    case .granted(let key, let proof, let issuer):
      if let objection = objection(key, issuer, issue) { return [.answerBrowser(objection)] }
      state = .exchanging(issue)
      return [.answerBrowser(nil), .exchange(proof: proof)]
    case .refused(let key, let reason, let issuer):
      if let objection = objection(key, issuer, issue) { return [.answerBrowser(objection)] }
      return [.answerBrowser(nil)] + end(.refused(reason))
    case .refusedUnnamed(let reason):
      guard mayRefuseUnnamed else {
        return [.answerBrowser(.refusalWithoutLogin)]
      }
      return [.answerBrowser(nil)] + end(.refusedUnnamed(reason))
    case .unusable(let problem): return [.answerBrowser(.unusable(problem))]
    }
  }

  /// Returns the reason a callback does not belong to this login; `nil` if it does.
  private func objection(_ key: String, _ issuer: String?, _ issue: LoginIssue) -> RedirectServer.Objection? {
    guard let expected = issue.key, equalInConstantTime(key, expected) else { return .unknown }
    return issue.issuerRule.objection(to: issuer).map { .unusable($0) }
  }

  private mutating func paste(_ pasted: LoginPaste, _ issue: LoginIssue) -> [Action] {
    switch pasted {
    case .proof(let proof) where issue.key != nil && !LoginPaste.looksRandom(proof) && proof != doubted:
      doubted = proof
      return [
        .tell(
          "That does not look like a verifier or a code, so it was not sent; still waiting. If it is one, enter it again."
        )
      ]
    case .proof(let proof) where issue.key != nil:
      state = .exchanging(issue)
      return [.exchange(proof: proof)]
    case .password(let password):
      state = .exchanging(issue)
      return [.exchange(proof: password)]
    case .partial: return []
    case .proof: return [.tell("You do not need to type anything here; still waiting for the provider's page.")]
    case .callback(.granted(let key, let proof, let issuer)):
      if let objection = objection(key, issuer, issue) { return [.tell(message(for: objection, "address"))] }
      state = .exchanging(issue)
      return [.exchange(proof: proof)]
    case .callback(.refused(let key, let reason, let issuer)):
      if let objection = objection(key, issuer, issue) { return [.tell(message(for: objection, "refusal"))] }
      return end(.refused(reason))
    case .callback(.refusedUnnamed(let reason)): return end(.refusedUnnamed(reason))
    case .callback(.unusable(let problem)): return [.tell("\(problem) Still waiting.")]
    case .notUnderstood where issue.isTyped:
      return endWithoutInput(issue)
    case .notUnderstood:
      return [.tell("That is neither the redirect address nor a verifier or code; still waiting.")]
    }
  }

  private func message(for objection: RedirectServer.Objection, _ what: String) -> String {
    if case .unusable(let reason) = objection { return "\(reason) Still waiting." }
    return "That \(what) belongs to another login; still waiting."
  }

  /// Returns the objection to a callback that arrives while the login is not waiting for one. The login's own callback is accepted, so that
  /// the browser shows the result, but the verifier or code is not exchanged again.
  private func late(_ callback: LoginCallback) -> RedirectServer.Objection? {
    switch callback {
    case .granted(let key, _, _), .refused(let key, _, _):
      guard let issued = issue?.key, equalInConstantTime(key, issued) else { return .unknown }
      return nil
    case .refusedUnnamed: return .refusalWithoutLogin
    case .unusable(let problem): return .unusable(problem)
    }
  }

  private var issue: LoginIssue? {
    switch state {
    case .new, .preparing: nil
    case .waiting(let issue), .exchanging(let issue), .confirming(let issue, _, _), .keeping(let issue): issue
    case .ended(let issue): issue
    }
  }

  private mutating func endWithoutPIN() -> [Action] {
    end(.failed(OperationError(.notAuthorised, "no PIN was entered, so the account was not authorised")))
  }

  private mutating func endWithoutInput(_ issue: LoginIssue) -> [Action] {
    let input = issue.invitation == .password ? "no user name or password was entered" : "no complete token was entered"
    return end(.failed(OperationError(.notAuthorised, "\(input), so the account was not authorised")))
  }

  private mutating func end(_ end: LoginEnd) -> [Action] {
    if case .ended = state { return [] }
    if case .waiting = state {
      switch end {
      case .timedOut, .failed: endedUnanswered = true
      case .authorised, .refused, .refusedUnnamed: break
      }
    }
    state = .ended(issue)
    return [.end(end)]
  }
}

extension RedirectServer.Objection {
  static let refusalWithoutLogin = Self.unusable("The refusal does not say which login it belongs to.")
}
