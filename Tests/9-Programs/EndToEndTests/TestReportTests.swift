import Platform
import TestSupport
import Testing

/// What `make test` repeats at the end of its output (`scripts/test-report`).
@Suite("The end of make test's output") struct TestReportTests {
  private let folder = TemporaryFolder()

  private func report(_ output: String, _ options: String...) async throws -> String {
    try AtomicFile.write(Array(output.utf8), to: "\(folder.path)/output", .replaced)
    let outcome = try await ProgramRun.run(
      Repository.path("scripts/test-report"), options + ["\(folder.path)/output"],
      environment: ProgramRun.environment(home: folder.path))
    #expect(outcome.code == 0 && outcome.error == "", "\(outcome.error)")
    return outcome.output
  }

  private static let output = """
    ◇ Test "a" started.
    ➜ Test "a" skipped: "less is not installed"
    ◇ Test b() started.
    ✘ Test b() recorded an issue at B.swift:1:2: Expectation failed: x → 1
    ↳ the reason
    ◇ Test "c" started.
    ➜ Test "c" was cancelled after 0.001 seconds: "skipped: chromium does not start: no display
    a second line
    "
    ✘ Test b() failed after 0.002 seconds with 1 issue.
    ◇ Test "d" started.
    ➜ Test "d" skipped: "less is not installed"
    ◇ Test "e" started.

    """

  @Test("Skipped tests are repeated, grouped by reason, before the failures")
  func skipped() async throws {
    #expect(
      try await report(Self.output, "--complete") == """

        Skipped tests:
          less is not installed (2)
            "a"
            "d"
          chromium does not start: no display (1)
            "c"

        Failures:
        ✘ Test b() recorded an issue at B.swift:1:2: Expectation failed: x → 1
        ↳ the reason
        ✘ Test b() failed after 0.002 seconds with 1 issue.

        """)
  }

  @Test("After an incomplete run, the tests that did not end are named")
  func incomplete() async throws {
    #expect(try await report(Self.output).hasSuffix("\nTests that did not end:\n\"e\"\n"))
    #expect(try await report("✔ Test \"f\" passed after 0.001 seconds.\n") == "")
  }
}
