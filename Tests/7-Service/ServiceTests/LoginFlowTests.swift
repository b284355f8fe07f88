import Accounts
import Bytes
import CallbackListener
import HomelineOAuth
import Login
import Service
import Storage
import StorageTestSupport
import Testing
import Timeline

@Suite struct LoginFlowTests {
  private static let issue = LoginIssue(
    key: "RT1", invitation: .address(try! RequestURL("https://api.test/oauth/authorize?oauth_token=RT1")))
  private let verifier = Secret("V1")
  private let mira = User(id: "14", screenName: "mira", name: "Mira")
  private let token = TokenGrant.oauth1(TokenCredentials(identifier: "AT1", secret: Secret("AS1")))

  /// Returns a login whose user has been sent to the provider.
  private func waiting(outOfBand: Bool = false, for issue: LoginIssue = issue) throws -> LoginFlow {
    var flow = LoginFlow(isOutOfBand: outOfBand)
    #expect(flow.handle(.begun) == [.prepare])
    #expect(flow.handle(.issued(issue)) == [.sendUser(issue)])
    return flow
  }

  private func callback(_ query: String, mayRefuseUnnamed: Bool = true) -> LoginFlow.Event {
    .callback(CallbackQuery(query).callback, mayRefuseUnnamed: mayRefuseUnnamed)
  }

  @Test("an OAuth 1.0a login proceeds from the request token to the access token in three steps")
  func threeRequests() throws {
    var flow = try waiting()
    #expect(
      flow.handle(callback("oauth_token=RT1&oauth_verifier=V1"))
        == [.answerBrowser(nil), .exchange(proof: verifier)])
    #expect(flow.handle(.exchanged(token, named: nil)) == [.confirm(token)])
    #expect(flow.handle(.confirmed(mira)) == [.keep(token, mira)])
    #expect(flow.handle(.kept) == [.end(.authorised)])
  }

  @Test(
    "a callback with any other token leaves the login pending",
    arguments: [
      "oauth_token=OTHER&oauth_verifier=V1", "oauth_token=RT1", "oauth_verifier=V1", "", "denied=OTHER",
      "oauth_token=RT1&oauth_token=RT1&oauth_verifier=V1", "oauth_token=%zz&oauth_verifier=V1", "x=y",
    ])
  func strays(query: String) throws {
    var flow = try waiting()
    let actions = flow.handle(callback(query))
    guard case .answerBrowser(let objection) = actions.first, actions.count == 1 else {
      Issue.record("\(actions)")
      return
    }
    #expect(objection != nil)
    #expect(
      flow.handle(callback("oauth_token=RT1&oauth_verifier=V1")).last == .exchange(proof: verifier))
  }

  @Test(
    "a denial that contains the login's token ends the login",
    arguments: ["denied=RT1", "oauth_problem=user_refused&oauth_token=RT1"])
  func refusal(query: String) throws {
    var flow = try waiting()
    let actions = flow.handle(callback(query, mayRefuseUnnamed: false))
    #expect(actions.first == .answerBrowser(nil))
    guard case .end(.refused) = actions.last else {
      Issue.record("\(actions)")
      return
    }
  }

  @Test("a refusal without a token ends the login only if it may apply to this login")
  func unnamedRefusal() throws {
    var flow = try waiting()
    let stray = flow.handle(callback("oauth_problem=user_refused", mayRefuseUnnamed: false))
    #expect(stray == [.answerBrowser(.unusable("The refusal does not say which login it belongs to."))])
    #expect(
      flow.handle(callback("oauth_problem=user_refused"))
        == [.answerBrowser(nil), .end(.refusedUnnamed("user_refused"))])
  }

  @Test("a repeated callback gets the same page and is never exchanged again")
  func again() throws {
    let again = callback("oauth_token=RT1&oauth_verifier=V1")
    var flow = try waiting()
    _ = flow.handle(again)
    #expect(flow.handle(again) == [.answerBrowser(nil)])
    _ = flow.handle(.exchanged(token, named: mira))
    #expect(flow.handle(again) == [.answerBrowser(nil)])
    _ = flow.handle(.confirmed(mira))
    #expect(flow.handle(callback("oauth_token=RT1&oauth_verifier=OTHER")) == [.answerBrowser(nil)])
    _ = flow.handle(.kept)
    #expect(flow.handle(again) == [.answerBrowser(nil)])
    #expect(flow.handle(callback("oauth_token=OTHER&oauth_verifier=V1")) == [.answerBrowser(.unknown)])
  }

  @Test("a failed token exchange ends the login and is not retried")
  func failedExchange() throws {
    var flow = try waiting()
    _ = flow.handle(callback("oauth_token=RT1&oauth_verifier=V1"))
    let failure = OperationError(.notAuthorised, "verifier invalid")
    #expect(flow.handle(.failed(failure)) == [.end(.failed(failure))])
    #expect(flow.handle(callback("oauth_token=RT1&oauth_verifier=V1")) == [.answerBrowser(nil)])
  }

  @Test(
    "a token is stored without requesting the user if the token response contained the user",
    arguments: [OperationError(.unavailable, "no answer"), OperationError(.tryAgain(at: nil), "limit reached")])
  func unconfirmedUser(outage: OperationError) throws {
    var flow = try waiting()
    _ = flow.handle(callback("oauth_token=RT1&oauth_verifier=V1"))
    _ = flow.handle(.exchanged(token, named: mira))
    let kept = flow.handle(.failed(outage))
    #expect(kept.last == .keep(token, mira))
    var unnamed = try waiting()
    _ = unnamed.handle(callback("oauth_token=RT1&oauth_verifier=V1"))
    _ = unnamed.handle(.exchanged(token, named: nil))
    #expect(unnamed.handle(.failed(outage)) == [.end(.failed(outage))])
  }

  @Test("a timeout ends a login only while it is waiting for the user")
  func timeout() throws {
    var flow = try waiting()
    #expect(flow.handle(.timedOut) == [.end(.timedOut)])
    var exchanging = try waiting()
    _ = exchanging.handle(callback("oauth_token=RT1&oauth_verifier=V1"))
    #expect(exchanging.handle(.timedOut) == [])
  }

  @Test(
    "a pasted address or verifier completes a login like a callback from the browser",
    arguments: [
      "http://127.0.0.1:8765/callback?oauth_token=RT1&oauth_verifier=V1", "V1", " V1\n",
      "oauth_token=RT1&oauth_verifier=V1",
    ])
  func pasted(text: String) throws {
    var flow = try waiting()
    #expect(flow.handle(.pasted(LoginPaste(oauth1: text))) == [.exchange(proof: verifier)])
    #expect(flow.handle(callback("oauth_token=RT1&oauth_verifier=V1")) == [.answerBrowser(nil)])
  }

  @Test(
    "unusable pasted text is reported, and the login remains pending",
    arguments: [
      "http://127.0.0.1:8765/callback?oauth_token=OTHER&oauth_verifier=V1", "http://example.org/", "two parts",
      "denied=OTHER",
    ])
  func pastedStray(text: String) throws {
    var flow = try waiting()
    let actions = flow.handle(.pasted(LoginPaste(oauth1: text)))
    guard case .tell = actions.first, actions.count == 1 else {
      Issue.record("\(actions)")
      return
    }
    #expect(flow.handle(.pasted(LoginPaste(oauth1: "V1"))) == [.exchange(proof: verifier)])
  }

  @Test("the end of input ends the login only if a PIN is the only way to log in")
  func inputEnded() throws {
    var flow = try waiting()
    #expect(flow.handle(.inputEnded) == [])
    var pin = try waiting(outOfBand: true)
    guard case .end(.failed(let failure)) = pin.handle(.inputEnded).first else {
      Issue.record("the login continues without any way to end")
      return
    }
    #expect(failure.kind == .notAuthorised)
  }

  @Test("a login prints its notices before the provider's address")
  func warning() throws {
    var flow = LoginFlow(isOutOfBand: false)
    _ = flow.handle(.begun)
    let issue = LoginIssue(key: "RT1", invitation: Self.issue.invitation, warning: "Mind the step.")
    #expect(flow.handle(.issued(issue)) == [.tell("Mind the step."), .sendUser(issue)])
  }

  // MARK: OAuth 2.0

  private let code = LoginIssue(
    key: "S1", invitation: .address(try! RequestURL("https://as.example/authorize?state=S1")),
    issuerRule: IssuerRule(expected: "https://as.example", isPromised: true))

  @Test("an authorisation code that belongs to this login and its server is exchanged")
  func granted() throws {
    var flow = try waiting(for: code)
    #expect(
      flow.handle(callback("code=C1&state=S1&iss=https%3A%2F%2Fas.example"))
        == [.answerBrowser(nil), .exchange(proof: Secret("C1"))])
  }

  @Test(
    "a redirect for another login, or from another server or an unknown sender, changes nothing",
    arguments: [
      "code=C1&state=OTHER&iss=https%3A%2F%2Fas.example", "code=C1&iss=https%3A%2F%2Fas.example", "code=C1&state=S1",
      "code=C1&state=S1&iss=https%3A%2F%2Fas.example%2F", "code=C1&state=S1&iss=", "state=S1",
      "code=C1&state=S1&state=S1&iss=https%3A%2F%2Fas.example", "code=&state=S1&iss=https%3A%2F%2Fas.example",
      "error=access_denied&state=OTHER&iss=https%3A%2F%2Fas.example",
      "error=access_denied&state=S1&iss=https%3A%2F%2Fevil",
    ])
  func strayCode(query: String) throws {
    var flow = try waiting(for: code)
    let actions = flow.handle(callback(query, mayRefuseUnnamed: false))
    guard case .answerBrowser(let objection) = actions.first, actions.count == 1 else {
      Issue.record("\(actions)")
      return
    }
    #expect(objection != nil)
    let good = flow.handle(callback("code=C1&state=S1&iss=https%3A%2F%2Fas.example"))
    #expect(good.last == .exchange(proof: Secret("C1")))
  }

  @Test("a redirect with both a code and an error is invalid, and a refusal includes the provider's message")
  func refusedCode() throws {
    var flow = try waiting(for: code)
    let refusal = "state=S1&iss=https%3A%2F%2Fas.example&error=access_denied&error_description=No%20thanks"
    #expect(
      flow.handle(callback("code=C1&\(refusal)"))
        == [.answerBrowser(.unusable("The redirect has both a code and an error."))])
    let actions = flow.handle(callback(refusal))
    guard case .end(.refused(let reason)) = actions.last else {
      Issue.record("\(actions)")
      return
    }
    #expect(reason.contains("access_denied") && reason.contains("No thanks"))
  }

  @Test(
    "a pasted address with another OAuth version's parameters leaves the login pending",
    arguments: [
      "http://h/callback?code=C1&state=S1&oauth_verifier=V", "http://h/callback?oauth_token=S1&oauth_verifier=V",
      "http://h/callback?oauth_problem=user_refused#code=C1",
    ])
  func pastedMixture(text: String) throws {
    var flow = try waiting(for: code)
    let actions = flow.handle(.pasted(LoginPaste(oauth2: text)))
    guard case .tell(let message) = actions.first, actions.count == 1 else {
      Issue.record("\(actions)")
      return
    }
    #expect(message.contains("OAuth 1.0a"))
  }

  @Test(
    "a pasted redirect or code completes a login like a redirect in the browser",
    arguments: ["http://127.0.0.1:8765/callback/as.example?code=C1&state=S1&iss=https%3A%2F%2Fas.example", "C1"])
  func pastedCode(text: String) throws {
    var flow = try waiting(for: code)
    #expect(flow.handle(.pasted(LoginPaste(oauth2: text))) == [.exchange(proof: Secret("C1"))])
  }

  @Test("with a device code, the token or the refusal arrives without a callback")
  func elsewhere() throws {
    let device = LoginIssue(key: nil, invitation: .code("ABCD-EFGH", at: "https://as.example/device", complete: nil))
    var flow = try waiting(for: device)
    #expect(flow.handle(callback("code=C1&state=")) != [.answerBrowser(nil)])
    guard case .tell = flow.handle(.pasted(.proof(Secret("C1")))).first else {
      Issue.record("a login that cannot use a pasted code accepted it")
      return
    }
    #expect(flow.handle(.exchanged(token, named: nil)) == [.confirm(token)])
    var refused = try waiting(for: device)
    #expect(refused.handle(.refused("access_denied")) == [.end(.refused("access_denied"))])
  }
}
