import Glibc
import HTTP
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// `homeline post` on a server whose software homeline does not know.
@Suite("Posting on a server of unknown software", .timeLimit(.minutes(3))) struct UnknownServerTests {
  private func fixture() async throws -> PostingHome {
    let fixture = try await PostingHome()
    let description = Response(
      status: .ok, type: "application/json", text: #"{"uri":"teapot.example","version":"0.9.1","title":"Teapot"}"#)
    fixture.server.withFaults { $0.add(.respond(description), to: "/api/v2/instance", times: 100) }
    return fixture
  }

  @Test("A limited post is refused before it is sent, and published with --trust-server or after a question")
  func limited() async throws {
    let fixture = try await fixture()
    let refused = try await fixture.post("ann", "For friends only.", "--visibility", "private")
    #expect(
      refused.code == 65 && refused.error.contains("does not know whether 127.0.0.1:\(fixture.server.port) keeps"),
      "\(refused.error)")
    #expect(refused.error.contains("the visibility private, or publishes the post for everyone"), "\(refused.error)")
    #expect(try await fixture.outbox() == "" && fixture.published == [])
    let plain = try await fixture.post("ann", "For everyone.", "--visibility", "public")
    #expect(plain.code == 0 && plain.error == "", "\(plain.error)")
    let trusted = try await fixture.post("ann", "For friends.", "--visibility", "private", "--trust-server")
    #expect(trusted.code == 0 && trusted.error == "", "\(trusted.error)")
    for (answer, status) in [("n", 65), ("y", 0)] {
      let asked = try await TerminalRun(
        ["post", "ann", "Asked, \(answer).", "--warning", "w"], environment: fixture.home.environment([:]),
        steps: [.type("\(answer)\\n", after: "Publish it anyway? [y/N]")])
      #expect(asked.status == status, "\(asked.output)")
      #expect(
        asked.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
          "the content warning; to publish the post anyway"), "\(asked.output)")
    }
    #expect(fixture.published == ["For everyone.", "For friends.", "Asked, y."])
  }

  @Test("The question is also asked about a post written in an editor", arguments: [true, false])
  func editor(withService: Bool) async throws {
    let fixture = try await fixture()
    let daemon = withService ? try await RunningDaemon(fixture.home) : nil
    let editor = "\(fixture.home.path)/editor"
    try AtomicFile.write(Array("#!/bin/sh\necho 'Written.' > \"$1\"\n".utf8), to: editor, .replaced)
    #expect(chmod(editor, 0o700) == 0)
    let run = try await TerminalRun(
      ["post", "ann", "--visibility", "private"], environment: fixture.home.environment(["VISUAL": editor]),
      steps: [.type("y\\n", after: "Publish it anyway? [y/N]")])
    #expect(run.status == 0 && fixture.published == ["Written."], "\(run.output)")
    await daemon?.stop()
  }

  @Test("A post that the server publishes to more people than intended is reported with the command that deletes it")
  func exposed() async throws {
    let fixture = try await fixture()
    fixture.server.withFaults {
      $0.add(
        .change { response in
          let text = String(decoding: response.body, as: UTF8.self)
          response.body = Array(text.replacing(#""visibility":"private""#, with: #""visibility":"public""#).utf8)
        }, to: PostingHome.path)
    }
    let outcome = try await fixture.post("ann", "For friends only.", "--visibility", "private", "--trust-server")
    let id = try #require(try fixture.home.publishedIDs("ann").first)
    #expect(outcome.code == 1 && outcome.output.contains("http"), "\(outcome.error)")
    #expect(
      outcome.error.contains("published for everyone instead of followers; to take it back: homeline delete \(id)"),
      "\(outcome.error)")
  }
}
