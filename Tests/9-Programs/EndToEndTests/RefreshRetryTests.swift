import HTTP
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// What `homeline refresh` says about the next attempt after a failure.
@Suite("The next attempt after a failed refresh", .timeLimit(.minutes(4))) struct RefreshRetryTests {
  private static let home = "/api/v1/timelines/home"

  @Test(
    "If a working timeline gets a 404, the message names the time when it last worked", arguments: [true, false])
  func notFound(withService: Bool) async throws {
    let fixture = try await PostingHome()
    let daemon = withService ? try await RunningDaemon(fixture.home) : nil
    var response = Response(status: .notFound, headers: [.contentType: "application/json"])
    response.body = Array(#"{"error": "Not Found"}"#.utf8)
    fixture.server.withFaults { [response] in $0.add(.respond(response), to: Self.home, times: 9) }
    let outcome = try await fixture.home.run("refresh")
    let host = fixture.server.baseURL.dropFirst("http://".count)
    #expect(outcome.code == 69, "\(outcome.error)")
    #expect(
      outcome.error.contains("homeline: ann: \(host) returned 404 for the home timeline, which worked at "),
      "\(outcome.error)")
    #expect(outcome.error.contains(". homeline will try again at "), "\(outcome.error)")
    #expect(outcome.error.contains(" if its service is running") == !withService, "\(outcome.error)")
    #expect(!outcome.error.contains("endpoints"))
    if let daemon { #expect(await daemon.stop().outcome.code == 0) }
  }

  @Test("After a web page in place of the timeline, or after a limit, the refresh names the next attempt")
  func between() async throws {
    let fixture = try await PostingHome()
    let page = Response(status: .unauthorized, type: "text/html", text: "<html><body>Sign in</body></html>")
    fixture.server.withFaults { $0.add(.respond(page), to: Self.home) }
    let outcome = try await fixture.home.run("refresh")
    #expect(outcome.code == 69 && outcome.error.contains("web page (status 401)"), "\(outcome.error)")
    #expect(outcome.error.contains(". homeline will try again at "), "\(outcome.error)")
    var limit = Response(status: .tooManyRequests, headers: [.contentType: "application/json"])
    limit.headers.set("Retry-After", "20")
    limit.body = Array(#"{"error": "Too many requests"}"#.utf8)
    fixture.server.withFaults { [limit] in $0.add(.respond(limit), to: Self.home) }
    let limited = try await fixture.home.run("refresh")
    #expect(limited.code == 75 && limited.error.contains("homeline will try again at "), "\(limited.error)")
  }
}
