import Glibc
import HTTP
import Platform
import Sandbox
import SandboxSupport
import Settings
import TestSupport
import Testing

/// What `homeline post` says while a post has to wait, and how the wait ends.
@Suite("Waiting posts", .timeLimit(.minutes(4))) struct PostWaitTests {
  private func limit(seconds: Int, status: Int = 429) -> SandboxFault {
    var response = Response(status: StatusCode(status), headers: [.contentType: "application/json"])
    response.body = Array(#"{"error": "Too many requests"}"#.utf8)
    response.headers.set("Retry-After", FieldValue(seconds))
    return .respond(response)
  }

  /// The requests that publish posts, as the server has received them.
  private struct Attempts: Sendable {
    private let count = Locked(0)
    var value: Int { count.withLock { $0 } }
    func note(_ request: RequestRecord) {
      if request.method == .post, request.path == PostingHome.path { count.withLock { $0 += 1 } }
    }
  }

  @Test(
    "If the server rate-limits a post once, the command reports the reason immediately, waits, then publishes the post",
    arguments: [429, 503])
  func once(status: Int) async throws {
    let fixture = try await PostingHome()
    fixture.fault(limit(seconds: 2, status: status))
    let outcome = try await fixture.post("ann", "After a while.")
    #expect(outcome.code == 0 && fixture.published == ["After a while."], "\(outcome.error)")
    #expect(outcome.error.contains("; waiting until "), "\(outcome.error)")
    #expect(outcome.error.contains(". Ctrl-C leaves the post in the outbox"), "\(outcome.error)")
    if status == 429 {
      let host = fixture.server.baseURL.dropFirst("http://".count)
      #expect(outcome.error.contains("homeline: ann: \(host) limits posts (429); waiting until "), "\(outcome.error)")
    }
  }

  @Test(
    "A post that stays rate-limited ends with 75 and its place, after one request", arguments: [true, false])
  func forever(withService: Bool) async throws {
    let attempts = Attempts()
    let fixture = try await PostingHome { attempts.note($0) }
    let daemon = withService ? try await RunningDaemon(fixture.home) : nil
    fixture.fault(limit(seconds: 20), times: 100)
    let outcome = try await fixture.post("ann", "Limited.", "--wait", "5")
    #expect(outcome.code == 75 && outcome.output == "", "\(outcome.error)")
    #expect(outcome.error.contains("the post waits in the outbox as out-"), "\(outcome.error)")
    #expect(outcome.error.contains("limits posts (429)") && outcome.error.contains("continues automatically"))
    // Other successful requests do not shorten a time that the server gave.
    #expect(try await fixture.home.run("refresh").code == 0)
    #expect(attempts.value == 1)
    let list = try await fixture.outbox()
    #expect(list.contains(" queued \"Limited.\" until ") && list.contains("limits posts (429)"), "\(list)")
    let status = try await fixture.home.run("status")
    #expect(status.output.contains("1 post waits in the outbox until "), "\(status.output)")
    let details = try await fixture.home.run("status", "-v")
    #expect(details.output.contains("limits posts (429)"), "\(details.output)")
    if let daemon { #expect(await daemon.stop().outcome.code == 0) }
  }

  @Test(
    "A signal ends a waiting command, which reports that the post may still be sent",
    arguments: [SIGINT, SIGTERM], [true, false])
  func interrupted(number: Int32, withService: Bool) async throws {
    let fixture = try await PostingHome()
    let daemon = withService ? try await RunningDaemon(fixture.home) : nil
    fixture.fault(limit(seconds: 25), times: 100)
    let run = try fixture.home.start(["post", "ann", "Interrupted."])
    #expect(await run.line(containing: "waiting until", on: .error) != nil)
    kill(run.process, number)
    let outcome = await run.end()
    #expect(outcome.code == 128 + number && outcome.output == "")
    #expect(
      outcome.error.contains("homeline: the post may still be sent; to list or discard it: homeline outbox"),
      "\(outcome.error)")
    #expect(try await fixture.outbox().contains("\"Interrupted.\""))
    if let daemon { #expect(await daemon.stop().outcome.code == 0) }
  }

  @Test(
    "A post stopped by something between client and server is sent once another of the account's requests succeeds",
    arguments: [true, false])
  func woken(withService: Bool) async throws {
    let attempts = Attempts()
    let fixture = try await PostingHome { attempts.note($0) }
    let daemon = withService ? try await RunningDaemon(fixture.home) : nil
    let page = Response(status: .forbidden, type: "text/html", text: "<html><body>Sign in</body></html>")
    // After four attempts, the pause is five minutes.
    fixture.fault(.respond(page), times: 4)
    let outcome = try await fixture.post("ann", "Woken.", "--wait", "0")
    #expect(outcome.code == 75 && outcome.error.contains("the post waits in the outbox as out-"), "\(outcome.error)")
    #expect(attempts.value == 1)
    for expected in 2...4 {
      let id = try #require(outcome.error.split(separator: " ").first { $0.hasPrefix("out-") })
      _ = try await fixture.home.run("outbox", "--retry", String(id.prefix(14)))
      #expect(try await eventually { attempts.value >= expected })
    }
    #expect(try await fixture.home.run("refresh").code == 0)
    #expect(try await eventually { fixture.published == ["Woken."] })
    if let daemon { #expect(await daemon.stop().outcome.code == 0) }
  }

  @Test("If the server does not respond, the command reports this")
  func silent() async throws {
    let fixture = try await PostingHome()
    fixture.fault(.stall(after: 20, for: .seconds(60)))
    let run = try fixture.home.start(["post", "ann", "Silence."])
    #expect(await run.line(containing: "no response from ", on: .error) != nil)
    kill(run.process, SIGTERM)
    #expect(await run.end().code == 128 + SIGTERM)
  }
}
