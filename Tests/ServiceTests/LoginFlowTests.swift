import HomelineOAuth
import Service
import Testing
import Timeline

@Suite struct LoginFlowTests {
  private static let issued = TemporaryCredentials(identifier: "RT1", secret: Secret("RS1"))
  private let verifier = Secret("V1")
  private let mira = User(id: "14", screenName: "mira", name: "Mira")

  private func response(_ body: String, status: Int = 200) -> Answer { Answer(status: status, body: Array(body.utf8)) }

  private func issuedResponse(confirmed: Bool = true) throws -> TemporaryCredentialsResponse {
    try TemporaryCredentialsResponse(
      response("oauth_token=RT1&oauth_token_secret=RS1" + (confirmed ? "&oauth_callback_confirmed=true" : "")),
      requireCallbackConfirmation: false)
  }

  private func token(named: Bool = true) throws -> TokenResponse {
    try TokenResponse(
      response("oauth_token=AT1&oauth_token_secret=AS1" + (named ? "&user_id=14&screen_name=mira" : "")))
  }

  /// A login whose user has been sent to the provider.
  private func waiting(outOfBand: Bool = false) throws -> LoginFlow {
    var flow = LoginFlow(isOutOfBand: outOfBand)
    #expect(flow.handle(.begun) == [.askForTemporaryCredentials])
    #expect(flow.handle(.issued(try issuedResponse())) == [.sendUser(Self.issued)])
    return flow
  }

  private func callback(_ query: String, mayRefuseUnnamed: Bool = true) -> LoginFlow.Event {
    .callback(Callback(query: query), mayRefuseUnnamed: mayRefuseUnnamed)
  }

  @Test("the three legs follow each other to the end")
  func threeLegs() throws {
    var flow = try waiting()
    #expect(
      flow.handle(callback("oauth_token=RT1&oauth_verifier=V1"))
        == [.answerBrowser(.accepted), .exchange(Self.issued, verifier: verifier)])
    let token = try token()
    #expect(flow.handle(.exchanged(token)) == [.confirm(token.credentials)])
    #expect(flow.handle(.confirmed(mira)) == [.keep(token.credentials, mira)])
    #expect(flow.handle(.kept) == [.end(.authorised)])
  }

  @Test(
    "what is not the issued token's answer leaves the login pending",
    arguments: [
      "oauth_token=OTHER&oauth_verifier=V1", "oauth_token=RT1", "oauth_verifier=V1", "", "denied=OTHER",
      "oauth_token=RT1&oauth_token=RT1&oauth_verifier=V1", "oauth_token=%zz&oauth_verifier=V1", "x=y",
    ])
  func strays(query: String) throws {
    var flow = try waiting()
    let actions = flow.handle(callback(query))
    guard case .answerBrowser(let reply) = actions.first, actions.count == 1 else {
      Issue.record("\(actions)")
      return
    }
    #expect(reply != .accepted)
    #expect(
      flow.handle(callback("oauth_token=RT1&oauth_verifier=V1")).last == .exchange(Self.issued, verifier: verifier))
  }

  @Test(
    "a refusal that names the token ends the login",
    arguments: ["denied=RT1", "oauth_problem=user_refused&oauth_token=RT1"])
  func refusal(query: String) throws {
    var flow = try waiting()
    let actions = flow.handle(callback(query, mayRefuseUnnamed: false))
    #expect(actions.first == .answerBrowser(.accepted))
    guard case .end(.refused) = actions.last else {
      Issue.record("\(actions)")
      return
    }
  }

  @Test("a refusal that names no token ends the login only when it can be meant for it")
  func unnamedRefusal() throws {
    var flow = try waiting()
    let stray = flow.handle(callback("oauth_problem=user_refused", mayRefuseUnnamed: false))
    #expect(stray == [.answerBrowser(.unusable("The refusal names no login."))])
    #expect(
      flow.handle(callback("oauth_problem=user_refused"))
        == [.answerBrowser(.accepted), .end(.refused("user_refused"))])
  }

  @Test("the same callback again, at any time, is shown the same page and exchanged never again")
  func again() throws {
    let again = callback("oauth_token=RT1&oauth_verifier=V1")
    var flow = try waiting()
    _ = flow.handle(again)
    #expect(flow.handle(again) == [.answerBrowser(.accepted)])
    _ = flow.handle(.exchanged(try token()))
    #expect(flow.handle(again) == [.answerBrowser(.accepted)])
    _ = flow.handle(.confirmed(mira))
    #expect(flow.handle(callback("oauth_token=RT1&oauth_verifier=OTHER")) == [.answerBrowser(.accepted)])
    _ = flow.handle(.kept)
    #expect(flow.handle(again) == [.answerBrowser(.accepted)])
    #expect(flow.handle(callback("oauth_token=OTHER&oauth_verifier=V1")) == [.answerBrowser(.unknownToken)])
  }

  @Test("a failed exchange ends the login and is not tried again")
  func failedExchange() throws {
    var flow = try waiting()
    _ = flow.handle(callback("oauth_token=RT1&oauth_verifier=V1"))
    let failure = Failure(.notAuthorised, "verifier invalid")
    #expect(flow.handle(.failed(failure)) == [.end(.failed(failure))])
    #expect(flow.handle(callback("oauth_token=RT1&oauth_verifier=V1")) == [.answerBrowser(.accepted)])
  }

  @Test(
    "a token whose user cannot be asked for is kept when its answer named the user",
    arguments: [Failure(.unavailable, "no answer"), Failure(.tryAgain(at: nil), "limit reached")])
  func unconfirmedUser(outage: Failure) throws {
    var flow = try waiting()
    _ = flow.handle(callback("oauth_token=RT1&oauth_verifier=V1"))
    _ = flow.handle(.exchanged(try token()))
    let kept = flow.handle(.failed(outage))
    #expect(kept.last == .keep(try token().credentials, User(id: "14", screenName: "mira", name: "mira")))
    var unnamed = try waiting()
    _ = unnamed.handle(callback("oauth_token=RT1&oauth_verifier=V1"))
    _ = unnamed.handle(.exchanged(try token(named: false)))
    #expect(unnamed.handle(.failed(outage)) == [.end(.failed(outage))])
  }

  @Test("time ends the wait, and nothing but the wait")
  func timeout() throws {
    var flow = try waiting()
    #expect(flow.handle(.timedOut) == [.end(.timedOut)])
    var exchanging = try waiting()
    _ = exchanging.handle(callback("oauth_token=RT1&oauth_verifier=V1"))
    #expect(exchanging.handle(.timedOut) == [])
  }

  @Test(
    "a pasted address or verifier does what the browser would have done",
    arguments: [
      "http://127.0.0.1:8765/callback?oauth_token=RT1&oauth_verifier=V1", "V1", " V1\n",
      "oauth_token=RT1&oauth_verifier=V1",
    ])
  func pasted(text: String) throws {
    var flow = try waiting()
    #expect(flow.handle(.pasted(PastedRedirect(text))) == [.exchange(Self.issued, verifier: verifier)])
    #expect(flow.handle(callback("oauth_token=RT1&oauth_verifier=V1")) == [.answerBrowser(.accepted)])
  }

  @Test(
    "a pasted text that helps nothing is said, and the login waits on",
    arguments: [
      "http://127.0.0.1:8765/callback?oauth_token=OTHER&oauth_verifier=V1", "http://example.org/", "two words",
      "denied=OTHER",
    ])
  func pastedStray(text: String) throws {
    var flow = try waiting()
    let actions = flow.handle(.pasted(PastedRedirect(text)))
    guard case .tell = actions.first, actions.count == 1 else {
      Issue.record("\(actions)")
      return
    }
    #expect(flow.handle(.pasted(PastedRedirect("V1"))) == [.exchange(Self.issued, verifier: verifier)])
  }

  @Test("the end of input ends pasting only, unless a PIN is the only way")
  func inputEnded() throws {
    var flow = try waiting()
    #expect(flow.handle(.inputEnded) == [])
    var pin = try waiting(outOfBand: true)
    guard case .end(.failed(let failure)) = pin.handle(.inputEnded).first else {
      Issue.record("the login goes on without any way to end")
      return
    }
    #expect(failure.kind == .notAuthorised)
  }

  @Test("a server that does not confirm the callback is warned of where the account allows it")
  func unconfirmed() throws {
    var flow = LoginFlow(isOutOfBand: false)
    _ = flow.handle(.begun)
    let actions = flow.handle(.issued(try issuedResponse(confirmed: false)))
    guard case .tell(let warning) = actions.first else {
      Issue.record("\(actions)")
      return
    }
    #expect(warning.contains("oauth_callback_confirmed"))
    #expect(actions.last == .sendUser(Self.issued))
  }
}
