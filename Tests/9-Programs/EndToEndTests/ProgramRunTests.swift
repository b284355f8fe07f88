import TestSupport
import Testing

/// `ProgramRun`, which all other end-to-end tests depend on.
@Suite struct ProgramRunTests {
  private let shell = ProgramRun.environment(home: "/nowhere")

  private func run(_ script: String, input: ProgramRun.Input = .nothing, timeout: Duration = .seconds(240)) throws
    -> ProgramRun
  {
    try ProgramRun("sh", ["-c", script], environment: shell, input: input, timeout: timeout)
  }

  @Test("A program's output streams are kept separate, and its exit code is returned")
  func streams() async throws {
    let outcome = try await run("echo answer; echo else >&2; exit 78").end()
    #expect(outcome.code == 78)
    #expect(outcome.output == "answer\n")
    #expect(outcome.error == "else\n")
    #expect(!outcome.timedOut)
  }

  @Test("Long input and long output are passed on completely")
  func input() async throws {
    let text = String(repeating: "0123456789abcde\n", count: 40_000)
    let outcome = try await run("cat", input: .text(text)).end()
    #expect(outcome.output == text)
  }

  @Test("A program that exits before reading its input does not block the writer", .timeLimit(.minutes(1)))
  func unreadInput() async throws {
    let text = String(repeating: "0123456789abcde\n", count: 40_000)
    #expect(try await run("read line; exit 3", input: .text(text)).end().code == 3)
  }

  @Test("A running program can be sent input and signals, and its output can be waited for")
  func conversation() async throws {
    let program = try run("echo ready; read line; echo \"got $line\"; exec sleep 600", input: .open)
    #expect(await program.line(containing: "ready") == "ready")
    program.type("hello\n")
    #expect(await program.line(containing: "got") == "got hello")
    #expect(program.isRunning)
    program.signal(15)
    let outcome = await program.end()
    #expect(outcome.code == 143)
    #expect(await program.line(containing: "never said") == nil)
  }

  @Test("Output written before a line on the other stream is available once that line is read")
  func streamsInOrder() async throws {
    let program = try run(
      "i=0; while read line; do i=$((i+1)); echo one; echo out $i; echo err $i >&2; done", input: .open)
    for number in 1...100 {
      program.type("\n")
      try #require(await program.line(containing: "err \(number)", on: .error) != nil)
      try #require(program.written(on: .output).hasSuffix("out \(number)\n"))
    }
    program.endInput()
    #expect(await program.end().code == 0)
  }

  @Test("A program that exceeds its time limit is killed together with its children")
  func timeout() async throws {
    let outcome = try await run("sleep 600 & wait", timeout: .milliseconds(200)).end()
    #expect(outcome.timedOut)
    #expect(outcome.code == 137)
  }

  @Test("A child that keeps the streams open does not delay the end of the run")
  func grandchild() async throws {
    let program = try run("sleep 5 & echo $!")
    let outcome = await program.end()
    #expect(outcome.code == 0)
    #expect(!outcome.output.isEmpty)
  }

  @Test("A program sees only the given environment variables")
  func environment() async throws {
    let outcome = try await ProgramRun.run(
      "sh", ["-c", "echo $HOME $XDG_STATE_HOME $EXTRA"],
      environment: ProgramRun.environment(home: "/nowhere", ["EXTRA": "more"]))
    #expect(outcome.output == "/nowhere /nowhere/state more\n")
  }
}
