import Glibc
import HTTP
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// Commands that `homeline` hands to `homelined`, which prepares them and then sends them to the state owner or becomes it.
@Suite("Prepared commands", .timeLimit(.minutes(4))) struct PreparedCommandTests {
  /// The terminal's interrupt character as JSON text: Ctrl-C (`termios(3)`, VINTR).
  private static let interrupt = "\\u0003"

  /// How long the server wants no more posts, in seconds.
  private static let pause = 25

  /// Returns an account whose posts the server limits for a long time.
  private func limitedHome() async throws -> PostingHome {
    let fixture = try await PostingHome()
    var response = Response(status: StatusCode(429), headers: [.contentType: "application/json"])
    response.body = Array(#"{"error": "Too many requests"}"#.utf8)
    response.headers.set("Retry-After", FieldValue(Self.pause))
    fixture.fault(.respond(response), times: 100)
    return fixture
  }

  @Test("Ctrl-C on a terminal ends a waiting command by SIGINT, and the service that works for it goes on", .needsPeers)
  func interruptedWithService() async throws {
    let fixture = try await limitedHome()
    let daemon = try await RunningDaemon(fixture.home)
    let run = try await TerminalRun(
      ["post", "ann", "Interrupted."], environment: fixture.home.environment(),
      steps: [.type(Self.interrupt, after: "waiting until")])
    #expect(run.signal == Int(SIGINT) && run.left.isEmpty, "\(run.output)")
    #expect(run.output.contains("homeline: the post may still be sent"), "\(run.output)")
    #expect(try await daemon.status()["owner"]["pid"].integer == Int(daemon.program.process))
    #expect(try await fixture.outbox().contains("\"Interrupted.\""))
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test("Without a service, Ctrl-C on a terminal ends a waiting command by SIGINT, and the post stays", .needsPeers)
  func interruptedWithoutService() async throws {
    let fixture = try await limitedHome()
    let run = try await TerminalRun(
      ["post", "ann", "Interrupted."], environment: fixture.home.environment(),
      steps: [.type(Self.interrupt, after: "waiting until")])
    #expect(run.signal == Int(SIGINT) && run.left.isEmpty, "\(run.output)")
    #expect(OwnerLockFile.isFree(fixture.home.lock))
    #expect(try await fixture.outbox().contains("\"Interrupted.\""))
  }

  @Test("Ctrl-C on a terminal ends a command and the state owner that it waits for, both by SIGINT", .needsPeers)
  func interruptedWhileWaiting() async throws {
    let fixture = try await limitedHome()
    let editor = "\(fixture.home.path)/editor"
    try fixture.home.write("#!/bin/sh\necho Written. > \"$1\"\n", to: editor)
    #expect(chmod(editor, 0o700) == 0)
    let run = try await TerminalRun(
      ["post", "ann"], environment: fixture.home.environment(["VISUAL": editor]),
      steps: [.type(Self.interrupt, after: "waiting until")])
    #expect(run.signal == Int(SIGINT) && run.left.isEmpty, "\(run.output)")
    #expect(OwnerLockFile.isFree(fixture.home.lock))
    #expect(try await fixture.outbox().contains("\"Written.\""))
  }

  @Test("Without a service, a prepared command goes on in its process, and does not start the program again")
  func sameProcess() async throws {
    let fixture = try await limitedHome()
    let run = try fixture.home.start(["post", "ann", "Waiting."])
    #expect(await run.line(containing: "waiting until", on: .error) != nil)
    #expect(try JSONValue(file: fixture.home.lock)["pid"].integer == Int(run.process))
    let line = String(decoding: try File.read("/proc/\(run.process)/cmdline", limit: 65_536), as: UTF8.self)
    let parts = line.split(separator: "\0").map(String.init)
    #expect(parts.first?.hasSuffix("/homelined") == true)
    #expect(parts.dropFirst() == ["post", "ann", "Waiting."])
    run.signal(SIGINT)
    #expect(await run.end().code == 128 + SIGINT)
  }

  @Test(
    "A prepared command has the same output and exit code with and without a service",
    arguments: [
      (["outbox"], ExitCode.done), (["outbox", "--discard", "out-1"], .usage), (["token", "ann", "--renew"], nil),
      (["like", "ann", "no-such-post"], nil), (["post", "ann", "Checked.", "--dry-run"], .done),
    ])
  func sameOutcome(arguments: [String], code: ExitCode?) async throws {
    let fixture = try await PostingHome()
    let alone = try await fixture.home.start(arguments).end()
    let daemon = try await RunningDaemon(fixture.home)
    let served = try await fixture.home.start(arguments).end()
    if let code { #expect(served.code == code.rawValue, "\(served.error)") }
    #expect(alone.code == served.code && alone.output == served.output && alone.error == served.error)
    #expect(await daemon.stop().outcome.code == 0)
  }

  @Test(
    "With -v on a terminal, a command says who works for it, but not that one program hands it to another",
    .needsPeers, arguments: [["refresh"], ["outbox"], ["status"]])
  func verbose(arguments: [String]) async throws {
    let fixture = try await PostingHome()
    let environment = fixture.home.environment()
    let alone = try await TerminalRun(["-v"] + arguments, environment: environment)
    #expect(alone.status == 0 && !alone.output.contains("homelined"), "\(alone.output)")
    let daemon = try await RunningDaemon(fixture.home)
    let served = try await TerminalRun(["-v"] + arguments, environment: environment)
    #expect(served.status == 0 && !served.output.contains("homelined"), "\(served.output)")
    if arguments != ["status"] {
      #expect(served.output.contains("sending the command to homeline daemon"), "\(served.output)")
    }
    #expect(await daemon.stop().outcome.code == 0)
  }
}
