import HTTP
import HomelineOAuth
import Sandbox
import Testing

@Suite("The sandbox's faults")
struct SandboxFaultTests {
  @Test("an answer is replaced as often as was asked for, in the order asked for, on its route alone")
  func replaced() throws {
    var walk = SandboxWalk()
    let token = try walk.login()
    walk.provider.faults.add(.overCapacity, to: .homeTimeline, times: 2)
    walk.provider.faults.add(.tokenKilled, to: .homeTimeline)
    #expect(try walk.get(.verifyCredentials, by: token).status == .ok)
    #expect(try walk.get(.homeTimeline, by: token).status == .serviceUnavailable)
    #expect(try walk.get(.homeTimeline, by: token).headers.first(.contentType) == "text/html; charset=utf-8")
    #expect(try walk.get(.homeTimeline, by: token).code == 89)
    #expect(try walk.get(.homeTimeline, by: token).status == .ok)
    walk.provider.faults.add(.overCapacity, to: .homeTimeline, times: 9)
    walk.provider.faults.removeAll()
    #expect(try walk.get(.homeTimeline, by: token).status == .ok)
  }

  @Test("the known errors come with their statuses and codes")
  func known() throws {
    let known: [(SandboxFault, Int, Int?)] = [
      (.tokenKilled, 401, 89), (.accountLocked, 403, 326), (.endpointClosed, 403, 453),
      (.callbackNotApproved, 403, 415),
      (.rateLimited(reset: 1_795_190_500), 429, 88), (.rateLimited(reset: nil), 429, 88), (.overCapacity, 503, nil),
      (.outOfBandOnly, 401, nil), (.error(403, code: 64, "Suspended"), 403, 64),
    ]
    for (index, (fault, status, code)) in known.enumerated() {
      var walk = SandboxWalk()
      let token = try walk.login()
      walk.provider.faults.add(fault, to: .homeTimeline)
      let response = try walk.get(.homeTimeline, by: token)
      #expect(response.status.code == status, "number \(index)")
      #expect(response.code == code, "number \(index)")
    }
  }

  @Test("the client's reader refuses what the faults make of the first leg")
  func firstLeg() throws {
    func read(_ fault: SandboxFault?, require: Bool = true) throws -> TemporaryCredentialsResponse {
      var walk = SandboxWalk()
      if let fault { walk.provider.faults.add(fault, to: .requestToken) }
      let response = try walk.askForRequestToken()
      return try TemporaryCredentialsResponse(
        Answer(status: response.status.code, body: response.body), requireCallbackConfirmation: require)
    }
    #expect(try read(.confirmation("True")).confirmation == .callbackConfirmed)
    #expect(try read(.confirmation(nil), require: false).confirmation == .callbackUnconfirmed)
    #expect(throws: AnswerError.missingParameter("oauth_callback_confirmed")) { try read(.confirmation(nil)) }
    #expect(throws: AnswerError.callbackNotConfirmed) { try read(.confirmation("false")) }
    for fault in [SandboxFault.outOfBandOnly, .refusedWithOK, .captivePortal, .callbackNotApproved, .cut(to: 60)] {
      #expect(throws: AnswerError.self) { try read(fault) }
    }
    #expect(try read(.contentType("application/json")).confirmation == .callbackConfirmed)
  }

  @Test("a request that is dropped before its work has no effect, and one after it has")
  func dropped() throws {
    for worked in [false, true] {
      var walk = SandboxWalk()
      let temporary = try walk.requestToken()
      let verifier = try walk.verifier(temporary)
      walk.provider.faults.add(.drop(worked: worked), to: .accessToken)
      _ = try walk.exchange(temporary, verifier)
      #expect(try walk.exchange(temporary, verifier).status == (worked ? .unauthorized : .ok))
    }
  }

  @Test("delay and drop are said to whoever carries the answer out")
  func carried() throws {
    var walk = SandboxWalk()
    let token = try walk.login()
    walk.provider.faults.add(.delay(.seconds(3)), to: .homeTimeline)
    walk.provider.faults.add(.drop(worked: true), to: .homeTimeline)
    let late = walk.provider.answer(to: try walk.signed(.homeTimeline, by: token), at: walk.now)
    #expect(late.delay == .seconds(3) && late.response.status == .ok && !late.isDropped)
    #expect(walk.provider.answer(to: try walk.signed(.homeTimeline, by: token), at: walk.now).isDropped)
    let plain = walk.provider.answer(to: try walk.signed(.homeTimeline, by: token), at: walk.now)
    #expect(plain.delay == .zero && !plain.isDropped)
  }
}
