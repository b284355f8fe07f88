package import HomelineOAuth
package import Timeline

/// The three legs of a login (RFC 5849 §2) as a value: an event in, actions out. It knows no sockets, files or clocks.
///
/// The returned `oauth_token` must be the issued one, the verifier is exchanged once, and only a refusal, a failure or the
/// end of time ends the wait: strays change nothing.
package struct LoginFlow: Sendable {
  /// Where the login stands. Each state carries just what it needs, so that a step cannot be taken twice.
  private enum State {
    case new
    case asking
    case waiting(TemporaryCredentials)
    case exchanging(TemporaryCredentials)
    case confirming(TemporaryCredentials, TokenResponse)
    case keeping(TemporaryCredentials)
    case ended(TemporaryCredentials?)
  }

  /// What happened.
  package enum Event: Sendable {
    case begun
    case issued(TemporaryCredentialsResponse)
    /// The browser came back. `mayRefuseUnnamed`: whether a refusal without a token can only be meant for this login.
    case callback(Callback, mayRefuseUnnamed: Bool)
    case pasted(PastedRedirect)
    /// Nothing more will be pasted.
    case inputEnded
    case exchanged(TokenResponse)
    case confirmed(User)
    case kept
    /// The step under way failed.
    case failed(Failure)
    case timedOut
    /// Nobody waits for the user any more.
    case givenUp(Failure)
  }

  /// What is to be done, in order.
  package enum Action: Sendable, Equatable {
    /// Ask for a request token.
    case askForTemporaryCredentials
    /// Send the user to the provider with this request token.
    case sendUser(TemporaryCredentials)
    /// Exchange the request token for an access token, once.
    case exchange(TemporaryCredentials, verifier: Secret)
    /// Ask the provider whose token this is.
    case confirm(TokenCredentials)
    /// Store the token and whose it is.
    case keep(TokenCredentials, User)
    /// Answer the browser that came back.
    case answerBrowser(CallbackReply)
    /// Tell the person at the terminal.
    case tell(String)
    case end(LoginEnd)
  }

  /// Whether a verifier is shown to the user, who types it in, instead of coming back by redirect.
  private let isOutOfBand: Bool
  private var state = State.new
  /// Whether there is nobody to type anything in: known, with `/dev/null`, before the request token is.
  private var inputHasEnded = false

  package init(isOutOfBand: Bool) { self.isOutOfBand = isOutOfBand }

  package mutating func handle(_ event: Event) -> [Action] {
    switch (state, event) {
    case (.new, .begun):
      state = .asking
      return [.askForTemporaryCredentials]
    case (.asking, .issued(let response)):
      state = .waiting(response.credentials)
      if isOutOfBand, inputHasEnded { return endWithoutPIN() }
      let warning = response.confirmation == .callbackUnconfirmed ? [Action.tell(Self.unconfirmed)] : []
      return warning + [.sendUser(response.credentials)]
    case (.waiting(let issued), .pasted(let pasted)): return paste(pasted, issued)
    case (.waiting(let issued), .callback(let callback, let mayRefuseUnnamed)):
      return redirect(callback, issued, mayRefuseUnnamed: mayRefuseUnnamed)
    case (_, .callback(let callback, _)): return [.answerBrowser(late(callback))]
    case (.waiting, .inputEnded) where isOutOfBand: return endWithoutPIN()
    case (_, .inputEnded):
      inputHasEnded = true
      return []
    case (.waiting, .timedOut): return end(.timedOut)
    case (.new, .givenUp(let failure)), (.asking, .givenUp(let failure)), (.waiting, .givenUp(let failure)):
      return end(.failed(failure))
    case (.exchanging(let issued), .exchanged(let response)):
      state = .confirming(issued, response)
      return [.confirm(response.credentials)]
    case (.confirming(let issued, let response), .confirmed(let user)):
      state = .keeping(issued)
      return [.keep(response.credentials, user)]
    case (.confirming(let issued, let response), .failed(let failure)):
      // The token is good, and it may not come a second time: where the answer named its user, that is enough to keep it.
      guard failure.isPassing, let id = response.userID, let name = response.screenName else {
        return end(.failed(failure))
      }
      state = .keeping(issued)
      return [
        .tell("\(failure.message); the provider's token answer names the user, so the token is kept"),
        .keep(response.credentials, User(id: id, screenName: name, name: name)),
      ]
    case (.keeping, .kept): return end(.authorised)
    case (.asking, .failed(let failure)), (.exchanging, .failed(let failure)), (.keeping, .failed(let failure)):
      return end(.failed(failure))
    default: return []
    }
  }

  private mutating func redirect(
    _ callback: Callback, _ issued: TemporaryCredentials, mayRefuseUnnamed: Bool
  ) -> [Action] {
    switch callback {
    case .granted(let token, let verifier):
      guard equalInConstantTime(token, issued.identifier) else { return [.answerBrowser(.unknownToken)] }
      state = .exchanging(issued)
      return [.answerBrowser(.accepted), .exchange(issued, verifier: verifier)]
    case .refused(let token, let reason):
      guard equalInConstantTime(token, issued.identifier) else { return [.answerBrowser(.unknownToken)] }
      return [.answerBrowser(.accepted)] + end(.refused(reason))
    case .refusedWithoutToken(let reason):
      guard mayRefuseUnnamed else { return [.answerBrowser(.unusable("The refusal names no login."))] }
      return [.answerBrowser(.accepted)] + end(.refused(reason))
    case .unusable(let problem): return [.answerBrowser(.unusable(problem.description))]
    }
  }

  private mutating func paste(_ pasted: PastedRedirect, _ issued: TemporaryCredentials) -> [Action] {
    switch pasted {
    case .verifier(let verifier), .callback(.granted(issued.identifier, let verifier)):
      state = .exchanging(issued)
      return [.exchange(issued, verifier: verifier)]
    case .callback(.granted): return [.tell("That address belongs to another login; still waiting.")]
    case .callback(.refused(issued.identifier, let reason)), .callback(.refusedWithoutToken(let reason)):
      return end(.refused(reason))
    case .callback(.refused): return [.tell("That refusal belongs to another login; still waiting.")]
    case .callback(.unusable(let problem)): return [.tell("\(problem) Still waiting.")]
    case .notUnderstood:
      return [.tell("That is neither the address you were sent back to nor a verifier; still waiting.")]
    }
  }

  /// A callback after the first one: the same login is told how it ended, and nothing is exchanged again.
  private func late(_ callback: Callback) -> CallbackReply {
    let issued: TemporaryCredentials?
    switch state {
    case .new, .asking: issued = nil
    case .waiting(let credentials), .exchanging(let credentials), .confirming(let credentials, _),
      .keeping(let credentials):
      issued = credentials
    case .ended(let credentials): issued = credentials
    }
    switch callback {
    case .granted(let token, _), .refused(let token, _):
      guard let issued, equalInConstantTime(token, issued.identifier) else { return .unknownToken }
      return .accepted
    case .refusedWithoutToken: return .unusable("The refusal names no login.")
    case .unusable(let problem): return .unusable(problem.description)
    }
  }

  private mutating func endWithoutPIN() -> [Action] {
    end(.failed(Failure(.notAuthorised, "no PIN was entered, so nobody is authorised")))
  }

  private mutating func end(_ end: LoginEnd) -> [Action] {
    switch state {
    case .waiting(let issued), .exchanging(let issued), .confirming(let issued, _), .keeping(let issued):
      state = .ended(issued)
    case .new, .asking: state = .ended(nil)
    case .ended: return []
    }
    return [.end(end)]
  }

  private static let unconfirmed =
    "Warning: the provider does not confirm the callback address (oauth_callback_confirmed is missing), "
    + "so it may be open to session fixation; this account accepts that."
}
