import Dispatch
import HTTP
import HTTPClient
import HTTPServer
import HomelineOAuth
import Platform
import SandboxSupport
import Settings
import TestSupport
import Testing

@testable import Sandbox

@Suite("Sandbox faults")
struct FaultTests {
  private static let timeline = "/api/v1/timelines/home"
  private static let metadata = "/.well-known/oauth-authorization-server"

  /// Returns the statuses of requests to a simulated Mastodon server; `nil` means that there was no response.
  private func statuses(_ faults: FaultSchedule, of paths: [String]) async throws -> [Int?] {
    let schedule = Locked(faults)
    var options = SandboxOptions()
    options.fault = { request in schedule.withLock { $0.next(for: request) } }
    let simulation = try #require(Simulation.named("mastodon"))
    let sockets = try ListeningSockets.loopback(port: 0, host: .literal)
    let port = sockets.port ?? 0
    let server = try simulation.serve(on: sockets, options).server
    let client = Client(policy: ClientPolicy(userAgent: "homeline-test", environment: [:]))
    var statuses: [Int?] = []
    for path in paths {
      let result = await withCheckedContinuation { done in
        client.send(
          ClientRequest(method: .get, url: "http://127.0.0.1:\(port)\(path)"),
          on: DispatchQueue(label: "responses")
        ) { done.resume(returning: $0) }
      }
      statuses.append((try? result.get()).map { Int($0.status.code) })
    }
    await withCheckedContinuation { done in server.stop { done.resume() } }
    client.stop()
    return statuses
  }

  @Test("The groups in the help contain each fault once")
  func groups() {
    #expect(FaultName.Group.allCases.flatMap(\.names) == FaultName.allCases)
    #expect(FaultName.Group.allCases.allSatisfy { $0.names.count > 1 })
  }

  @Test("An API fault affects only requests to the API", arguments: FaultName.allCases)
  func api(_ name: FaultName) async throws {
    var faults = FaultSchedule()
    faults.add(name)
    // Without a fault, the timeline responds with 401, because the request has no token.
    let expected: Int? =
      switch name {
      case .rateLimited, .usageCapped, .proxyLimit: 429
      case .tokenRevoked, .cutOff, .wrongType, .slow, .proxyUnauthorized, .bareUnauthorized: 401
      case .accountLocked, .endpointClosed, .notEnrolled, .proxyForbidden: 403
      case .proxyNotFound: 404
      case .proxyRedirect: 302
      case .creditsDepleted: 402
      case .serverError: 503
      case .badGateway: 502
      case .gbkPage: 500
      case .captivePortal, .empty: 200
      case .noAnswer, .brokenOff: nil
      case .hiddenError: 200
      case .tokenEndpointError, .refusedWithOK, .callbackRefused, .pinOnly, .postLost, .postAnswerLost,
        .postError, .uploadReset, .uploadError, .uploadLimited, .mediaProcessing, .mediaFailed, .timelineMissing,
        .timelineUnimplemented, .scopeUnauthorized, .listsDeleted, .listsRenamed, .tagsDisabled, .idsUnordered,
        .minIDAsSinceID, .limitIgnored, .shortPages, .entryRepeated, .linkToAnotherHost, .linkToItself, .linkEndless,
        .markerConflict:
        401
      case .blockConflict, .blockLost, .sessionLost, .assembling, .rangeIgnored, .wrongRange, .compressedRange,
        .contentChanged, .addressExpired, .contentBroken, .contentRedirected, .tokenExpired, .tokenExpiredHidden,
        .resultZero, .wrongCount, .folderShrinks, .deadServer, .sessionMissing, .offsetMissing, .clockAhead,
        .offsetEmpty, .offsetQuoted, .contentKnown, .blockRedirected, .rangeRefused, .signatureRefused,
        .lifetimeAsTime, .lifetimeAsText, .lifetimeMissing, .refreshMissing, .replayRefused, .refreshRefused:
        401
      }
    #expect(try await statuses(faults, of: [Self.timeline, Self.metadata]) == [expected, 200])
  }

  @Test("A fault set for every third request does not affect the other requests")
  func everyThird() async throws {
    var faults = FaultSchedule()
    faults.add(.serverError, every: 3)
    let paths = Array(repeating: Self.timeline, count: 6)
    #expect(try await statuses(faults, of: paths) == [401, 401, 503, 401, 401, 503])
  }

  @Test("Faults that affect tokens or request tokens affect only their own endpoints")
  func endpoints() throws {
    func isAffected(_ path: String, by name: FaultName) throws -> Bool {
      var faults = FaultSchedule()
      faults.add(name)
      let target = try #require(RequestTarget(path))
      return faults.next(for: Request(method: .post, target: target)) != nil
    }
    for path in ["/oauth/token", "/2/oauth2/token", "/oauth2/access_token", "/oauth/access_token"] {
      #expect(try isAffected(path, by: .tokenEndpointError) && isAffected(path, by: .refusedWithOK), "\(path)")
      #expect(try !isAffected(path, by: .pinOnly) && !isAffected(path, by: .serverError), "\(path)")
    }
    #expect(try isAffected("/oauth/request_token", by: .callbackRefused))
    for path in ["/oauth/authorize", "/media/avatars/a.png", "/mira_demo/status/1", "/api/v1/apps"] {
      for name in FaultName.allCases { #expect(try !isAffected(path, by: name), "\(path) \(name)") }
    }
  }

  @Test("Upload faults affect uploads in every API, and on Weibo only posts with a picture")
  func uploads() throws {
    func isAffected(_ method: RequestMethod, _ path: String, _ type: FieldValue, by name: FaultName) throws -> Bool {
      var faults = FaultSchedule()
      faults.add(name)
      let target = try #require(RequestTarget(path))
      return faults.next(for: Request(method: method, target: target, headers: [.contentType: type])) != nil
    }
    let form: FieldValue = "multipart/form-data; boundary=x"
    let paths = [
      "/api/v2/media", "/1.1/media/upload.json", "/2/media/upload/initialize", "/2/media/upload/7/append",
      "/2/statuses/share.json",
    ]
    for path in paths { #expect(try isAffected(.post, path, form, by: .uploadError), "\(path)") }
    let plain: FieldValue = "application/x-www-form-urlencoded"
    #expect(try !isAffected(.post, "/2/statuses/share.json", plain, by: .uploadError))
    #expect(try !isAffected(.post, "/2/tweets", "application/json", by: .uploadError))
    #expect(try isAffected(.get, "/2/media/upload", plain, by: .mediaProcessing))
  }

  @Test("Simulated errors of Twitter and X have the same statuses and codes as the real ones")
  func codes() throws {
    let expected: [(SandboxFault, Int, Int?)] = [
      (.named(.tokenRevoked), 401, 89), (.named(.accountLocked), 403, 326), (.named(.endpointClosed), 403, 453),
      (.named(.callbackRefused), 403, 415), (.named(.rateLimited), 429, 88), (.named(.serverError), 503, nil),
      (.named(.pinOnly), 401, nil),
    ]
    for (fault, status, code) in expected {
      var client = TwitterTestClient()
      let token = try client.login()
      client.provider.faults.add(fault, to: .homeTimeline)
      let response = try client.get(.homeTimeline, by: token)
      #expect(response.status.code == status && response.code == code, "\(fault)")
    }
  }

  @Test("The simulated X returns errors as problem documents with the right types")
  func problems() throws {
    let expected: [(FaultName, Int, String)] = [
      (.creditsDepleted, 402, "credits-depleted"), (.usageCapped, 429, "usage-capped"),
      (.notEnrolled, 403, "client-not-enrolled"),
    ]
    for (name, status, type) in expected {
      guard case .respond(let response) = name.fault else {
        Issue.record("\(name)")
        continue
      }
      #expect(response.status.code == status && response.text.contains(type), "\(name)")
      #expect(response.headers.first(.contentType) == "application/problem+json")
    }
  }

  @Test("homeline refuses request tokens that a fault has corrupted")
  func requestToken() throws {
    func read(_ fault: SandboxFault?, require: Bool = true) throws -> TemporaryCredentialsResponse {
      var client = TwitterTestClient()
      if let fault { client.provider.faults.add(fault, to: .requestToken) }
      let response = try client.requestTokenResponse()
      return try TemporaryCredentialsResponse(
        OAuthResponse(status: response.status.code, body: response.body), requireCallbackConfirmation: require)
    }
    #expect(try read(.confirmation("True")).confirmation == .callbackConfirmed)
    #expect(try read(.confirmation(nil), require: false).confirmation == .callbackUnconfirmed)
    #expect(throws: OAuthResponseError.missingParameter("oauth_callback_confirmed")) { try read(.confirmation(nil)) }
    #expect(throws: OAuthResponseError.callbackNotConfirmed) { try read(.confirmation("false")) }
    for name in [FaultName.pinOnly, .refusedWithOK, .captivePortal, .callbackRefused] {
      #expect(throws: OAuthResponseError.self, "\(name)") { try read(.named(name)) }
    }
    #expect(throws: OAuthResponseError.self) { try read(.cut(to: 60)) }
    #expect(try read(.contentType("application/json")).confirmation == .callbackConfirmed)
  }

  @Test("Some faults occur before the request is processed, and others afterwards")
  func processing() {
    func apply(_ fault: SandboxFault?) -> (SimulatedResponse, processed: Int) {
      var processed = 0
      let response = SimulatedResponse(fault) {
        processed += 1
        return SimulatedResponse(Response(status: .ok))
      }
      return (response, processed)
    }
    #expect(apply(nil).processed == 1)
    let (replaced, first) = apply(.respond(Response(status: .badGateway)))
    #expect(replaced.response.status == .badGateway && first == 0)
    for worked in [false, true] {
      let (dropped, times) = apply(.drop(worked: worked))
      #expect(dropped.isDropped && times == (worked ? 1 : 0))
    }
    let (late, second) = apply(.delay(.seconds(2)))
    #expect(late.delay == .seconds(2) && second == 1 && late.response.status == .ok)
    let (changed, third) = apply(.change { $0.status = .notFound })
    #expect(changed.response.status == .notFound && third == 1)
    let (stalled, fourth) = apply(.stall(after: 7, for: .seconds(1)))
    #expect(stalled.stallsAfter == 7 && stalled.delay == .seconds(1) && fourth == 1)
  }
}
