package import Accounts
package import HomelineOAuth
package import Storage
package import Timeline

/// A login as a value: an event in, actions out. It knows no sockets, files or clocks, and not by which version of OAuth it goes: the
/// three legs of RFC 5849 §2, or a code of RFC 6749 §4.1.
///
/// What comes back must name this login by its request token or its `state`, what it brings is exchanged once, and only a refusal, a
/// failure or the end of time ends the wait: strays change nothing.
package struct LoginFlow: Sendable {
  /// Where the login stands. Each state carries just what it needs, so that a step cannot be taken twice.
  private enum State {
    case new
    case preparing
    case waiting(LoginIssue)
    case exchanging(LoginIssue)
    case confirming(LoginIssue, TokenGrant, named: User?)
    case keeping(LoginIssue)
    case ended(LoginIssue?)
  }

  /// What happened.
  package enum Event: Sendable {
    case begun
    case issued(LoginIssue)
    /// The browser came back. `mayRefuseUnnamed`: whether a refusal without a name can only be meant for this login.
    case callback(LoginCallback, mayRefuseUnnamed: Bool)
    case pasted(LoginPaste)
    /// Nothing more will be pasted.
    case inputEnded
    /// `named`: whose token it is, where its own answer says so.
    case exchanged(TokenGrant, named: User?)
    case confirmed(User)
    case kept
    /// The step under way failed.
    case failed(Failure)
    /// The provider says that the user has refused, where no browser comes back.
    case refused(String)
    case timedOut
    /// Nobody waits for the user any more.
    case givenUp(Failure)
  }

  /// What is to be done, in order.
  package enum Action: Sendable, Equatable {
    /// Have everything made ready for the user: a request token, or an address with a `state` in it.
    case prepare
    /// Send the user to the provider.
    case sendUser(LoginIssue)
    /// Exchange what the user brought back for a token, once.
    case exchange(proof: Secret)
    /// Ask the provider whose token this is.
    case confirm(TokenGrant)
    /// Store the token and whose it is.
    case keep(TokenGrant, User)
    /// Answer the browser that came back.
    case answerBrowser(CallbackReply)
    /// Tell the person at the terminal.
    case tell(String)
    case end(LoginEnd)
  }

  /// Whether a verifier or a code is shown to the user, who types it in, instead of coming back by redirect.
  private let isOutOfBand: Bool
  private var state = State.new
  /// Whether there is nobody to type anything in: known, with `/dev/null`, before anything is issued.
  private var inputHasEnded = false
  /// A word that was typed in and is hardly a verifier or a code. Entered again it is taken for one.
  private var doubted: Secret?

  package init(isOutOfBand: Bool) { self.isOutOfBand = isOutOfBand }

  package mutating func handle(_ event: Event) -> [Action] {
    switch (state, event) {
    case (.new, .begun):
      state = .preparing
      return [.prepare]
    case (.preparing, .issued(let issue)):
      state = .waiting(issue)
      if isOutOfBand, inputHasEnded { return endWithoutPIN() }
      return (issue.warning.map { [.tell($0)] } ?? []) + [.sendUser(issue)]
    case (.waiting(let issue), .pasted(let pasted)): return paste(pasted, issue)
    case (.waiting(let issue), .callback(let callback, let mayRefuseUnnamed)):
      return redirect(callback, issue, mayRefuseUnnamed: mayRefuseUnnamed)
    case (_, .callback(let callback, _)): return [.answerBrowser(late(callback))]
    case (.waiting, .inputEnded) where isOutOfBand: return endWithoutPIN()
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
      // The token is good, and it may not come a second time: where the answer named its user, that is enough to keep it.
      guard failure.isPassing, let named else { return end(.failed(failure)) }
      state = .keeping(issue)
      return [
        .tell("\(failure.message); the provider's token answer names the user, so the token is kept"),
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
      if let reply = objection(key, issuer, issue) { return [.answerBrowser(reply)] }
      state = .exchanging(issue)
      return [.answerBrowser(.accepted), .exchange(proof: proof)]
    case .refused(let key, let reason, let issuer):
      if let reply = objection(key, issuer, issue) { return [.answerBrowser(reply)] }
      return [.answerBrowser(.accepted)] + end(.refused(reason))
    case .refusedUnnamed(let reason):
      guard mayRefuseUnnamed else { return [.answerBrowser(.unusable("The refusal names no login."))] }
      return [.answerBrowser(.accepted)] + end(.refusedUnnamed(reason))
    case .unusable(let problem): return [.answerBrowser(.unusable(problem))]
    }
  }

  /// Why what came back is not this login's answer; `nil` when it is.
  private func objection(_ key: String, _ issuer: String?, _ issue: LoginIssue) -> CallbackReply? {
    guard let expected = issue.key, equalInConstantTime(key, expected) else { return .unknownToken }
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
    case .proof: return [.tell("Nothing has to be typed in here; still waiting for the provider's page.")]
    case .callback(.granted(let key, let proof, let issuer)):
      if let reply = objection(key, issuer, issue) { return [.tell(words(for: reply, "address"))] }
      state = .exchanging(issue)
      return [.exchange(proof: proof)]
    case .callback(.refused(let key, let reason, let issuer)):
      if let reply = objection(key, issuer, issue) { return [.tell(words(for: reply, "refusal"))] }
      return end(.refused(reason))
    case .callback(.refusedUnnamed(let reason)): return end(.refusedUnnamed(reason))
    case .callback(.unusable(let problem)): return [.tell("\(problem) Still waiting.")]
    case .notUnderstood:
      return [.tell("That is neither the address you were sent back to nor a verifier or code; still waiting.")]
    }
  }

  private func words(for reply: CallbackReply, _ what: String) -> String {
    if case .unusable(let reason) = reply { return "\(reason) Still waiting." }
    return "That \(what) belongs to another login; still waiting."
  }

  /// A callback after the first one: the same login is told how it ended, and nothing is exchanged again.
  private func late(_ callback: LoginCallback) -> CallbackReply {
    switch callback {
    case .granted(let key, _, _), .refused(let key, _, _):
      guard let issued = issue?.key, equalInConstantTime(key, issued) else { return .unknownToken }
      return .accepted
    case .refusedUnnamed: return .unusable("The refusal names no login.")
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
    end(.failed(Failure(.notAuthorised, "no PIN was entered, so nobody is authorised")))
  }

  private mutating func end(_ end: LoginEnd) -> [Action] {
    if case .ended = state { return [] }
    state = .ended(issue)
    return [.end(end)]
  }
}

/// How a login ended.
package enum LoginEnd: Sendable, Equatable {
  /// The token is stored.
  case authorised
  /// The user said no at the provider, or the provider did; its own word for it.
  case refused(String)
  /// The browser came back with a refusal that names no login: any web page can send it there. Its own word for it.
  case refusedUnnamed(String)
  /// Nobody came back in time.
  case timedOut
  case failed(Failure)
}

/// What a provider, or this program itself, has issued for one login: by what the answer will be known, and where the user is sent.
package struct LoginIssue: Sendable, Equatable {
  /// What the user has to do.
  package enum Invitation: Sendable, Equatable {
    /// Press a button at this address.
    case address(RequestURL)
    /// Type this code in at this address, on any machine; `complete` is an address that has the code in it already.
    case code(String, at: String, complete: String?)
  }

  /// The request token, or the `state` (RFC 6749 §4.1.1); `nil` where no browser comes back here.
  package let key: String?
  package let invitation: Invitation
  /// By whose name an answer must be signed, where it has one (RFC 9207).
  let issuerRule: IssuerRule
  /// What the user should know of it before going there.
  let warning: String?

  package init(
    key: String?, invitation: Invitation, issuerRule: IssuerRule = IssuerRule(expected: nil, isPromised: false),
    warning: String? = nil
  ) {
    self.key = key
    self.invitation = invitation
    self.issuerRule = issuerRule
    self.warning = warning
  }
}
