import HomelineOAuth
import Bytes
import CallbackListener
import HTTPServer
import Login
import Platform
import Service
import Settings
import TestSupport
import Testing

/// A program that guesses request tokens at the real listener.
@Suite("Guessed tokens at the callback address") struct CallbackGuessingTests {
  private let warnings = Locked<[String]>([])
  private let asked = Locked(0)

  private func callbackServer() -> CallbackServer {
    let warnings = warnings
    return CallbackServer(
      CallbackSettings(port: 0),
      log: Log { level, line in if level == .warning { warnings.withLock { $0.append(line) } } })
  }

  private func open(_ callbackServer: CallbackServer, _ token: String) throws -> UInt16 {
    let asked = asked
    let (ticket, address, _) = try callbackServer.open(version: .oauth1) { _, reply in
      asked.withLock { $0 += 1 }
      reply(nil)
    }
    callbackServer.expect(token, for: ticket)
    return UInt16(address.port!)
  }

  private func guess(_ number: Int, at port: UInt16) throws -> TestClient.Answer {
    let paths = [
      "/callback?oauth_token=guess\(number)&oauth_verifier=V", "/callback?denied=guess\(number)",
      "/callback?state=guess\(number)&code=C", "/callback/done/guess\(number)",
    ]
    return try TestClient.get(paths[number % paths.count], port: port)
  }

  @Test("repeated wrong tokens are rate-limited (429) and reported only once, and the right token is still accepted")
  func limited() throws {
    let callbackServer = callbackServer()
    let port = try open(callbackServer, "T1")
    let responses = try (0..<300).map { try guess($0, at: port) }
    #expect(responses.prefix(GuessLimit.capacity).allSatisfy { $0.status == 404 })
    #expect(responses.allSatisfy { $0.status == 404 || $0.status == 429 })
    #expect(responses.count { $0.status == 429 } > 200)
    let last = try #require(responses.last { $0.status == 429 })
    #expect(last.head.contains("Connection: close"))
    #expect(last.head.contains("Retry-After: "))
    #expect(warnings.withLock { $0.count } == 1)
    #expect(warnings.withLock { $0[0].contains("guess0") } == false)
    #expect(asked.withLock { $0 } == 0)
    // A callback without a token does not count as a guess, and a callback with the login's token is accepted.
    #expect(try TestClient.get("/callback", port: port).status == 400)
    #expect(try TestClient.get("/callback?oauth_token=T1&oauth_verifier=V1", port: port).status == 303)
    #expect(asked.withLock { $0 } == 1)
  }

  @Test("the next login's user is also warned of guessed tokens")
  func nextLogin() throws {
    let callbackServer = callbackServer()
    let port = try open(callbackServer, "T1")
    for number in 0..<60 { _ = try guess(number, at: port) }
    #expect(warnings.withLock { $0.count } == 1)
    #expect(try open(callbackServer, "T2") == port)
    for number in 0..<60 { _ = try guess(number, at: port) }
    #expect(warnings.withLock { $0.count } == 2)
  }
}
