import HTTP
import Platform
import SandboxSupport
import TestSupport
import Testing

@testable import Sandbox

/// Posts that are written on the web page of a running service.
@Suite("Posts written on the web page", .timeLimit(.minutes(5))) struct WebPostTests {
  /// Returns a home whose service has the page open, and the service.
  private static func fixture(_ port: ReservedPort) async throws -> (PostingHome, RunningDaemon) {
    let fixture = try await PostingHome(scopes: "write")
    let configuration = try fixture.home.read(fixture.home.configuration)
    try fixture.home.configure(
      configuration.replacing(
        #""sandbox": {"#, with: #""web": { "port": \#(port.port) }, "sandbox": {"#))
    return (fixture, try await RunningDaemon(fixture.home))
  }

  private static func entry(_ fixture: PostingHome) async throws -> String {
    String(try await fixture.home.run("web", "--print").output.dropLast())
  }

  @Test(
    "A browser without scripts posts files, replies, corrects errors, sends nothing twice, and manages the outbox",
    .needsPeers, arguments: ["chromium", "firefox"])
  func written(browser: String) async throws {
    let (fixture, daemon) = try await Self.fixture(try ReservedPort())
    let (one, two) = (PostFile.picture("media/one"), PostFile.picture("media/two"))
    let files = [
      try fixture.home.file("one.png", one), try fixture.home.file("two.png", two),
      try fixture.home.file("notes.txt", Array("no picture".utf8)),
    ]
    let refusal = Response(
      status: StatusCode(422), headers: [.contentType: "application/json"], body: Array(#"{"error":"not today"}"#.utf8))
    fixture.fault(.respond(refusal))
    let entries = [try await Self.entry(fixture), try await Self.entry(fixture)]
    let run = try Peers.start(
      "web_post.py", [browser] + entries + ["ann"] + files, variables: ["PATH": "/usr/bin:/bin"])
    let outcome = await run.end()
    if outcome.code == 77 {
      await daemon.stop()
      try skipTest("\(outcome.output)")
    }
    try #require(outcome.code == 0, "\(outcome.output) \(outcome.error) \(daemon.log)")
    let report = try JSONValue(Array(outcome.output.utf8))
    #expect(report["ended"].items.first?.text == "This browser has not entered yet")
    #expect(report["ended"].items.last?.text?.contains("What you wrote is kept") == true, "\(report["ended"])")
    #expect(report["kept"].text == "Written without a session.")
    #expect(report["refused"].text?.contains("not published") == true, "\(report["refused"])")
    #expect(report["refused"].text?.contains("not today") == true, "\(report["refused"])")
    #expect(report["retried"].text == "The post was published.")
    #expect(report["pictures"].text == "The post was published.")
    let long = String(repeating: "long ", count: 200)
    #expect(report["long"].items.first?.text?.contains("of 500") == true, "\(report["long"])")
    #expect(report["long"].items.last?.text == long)
    #expect(report["wrong"].items.first?.text?.contains("notes.txt: not a picture") == true, "\(report["wrong"])")
    #expect(report["wrong"].items.last?.text == "No picture.")
    // Which of the two responses the browser shows depends on when it gives the first one up.
    let double = report["double"].text
    #expect(double == "The post was published." || double?.contains("one post") == true, "\(report["double"])")
    #expect(report["again"].text?.contains("one post") == true, "\(report["again"])")
    #expect(report["checked"].text?.hasPrefix("8 of 500 characters. The post can be published as") == true)
    #expect(report["planned"].text?.contains("waits until") == true, "\(report["planned"])")
    #expect(report["discarded"].text == "The post was removed from the outbox.")
    let answered = try #require(report["answered"].text)
    #expect(report["reply"].items.compactMap(\.text) == ["Reply", "post-ann-\(answered)", "The post was published."])
    let texts = ["Refused at first.", "Two pictures.", "Clicked twice.", "Sent once.", "An answer."]
    #expect(fixture.published == texts)
    #expect(fixture.server.with { $0.publishedReplies } == [nil, nil, nil, nil, answered])
    let sent = fixture.server.with { $0.uploadedFiles }
    #expect(Set(sent.map(\.content)) == [one, two])
    #expect(Set(sent.map(\.description)) == ["The first", "The \"second\""])
    // Only the drafts that were not sent are left, and the records of the sent ones.
    let drafts = try fixture.home.files(below: "\(fixture.home.path)/state/homeline/_drafts")
    #expect(drafts.allSatisfy { $0.hasSuffix("/draft.json") }, "\(drafts)")
    await daemon.stop()
  }
}
