import Glibc
import Platform
import TestSupport
import Testing

/// `homeline show --follow`, which runs until a signal ends it.
@Suite struct FollowCommandTests {
  private let home = PublishedFilesFixture()

  private func follow(_ arguments: String..., then body: (ProgramRun) async throws -> Void) async throws
    -> ProgramRun.Outcome
  {
    let program = try ProgramRun(
      ProgramRun.product("homeline"), ["show", "--follow"] + arguments, environment: home.environment())
    do { try await body(program) } catch {
      kill(program.process, SIGKILL)
      throw error
    }
    kill(program.process, SIGTERM)
    return await program.end()
  }

  private func ids(_ output: String) -> [Int] {
    output.split(separator: "\n").compactMap { line in
      line.firstRange(of: #""id":""#).flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) }
    }
  }

  @Test(
    "`homeline show --follow` prints each post once and in order, even if the file is replaced a hundred times")
  func replaced() async throws {
    try home.publish("bird", ids: [3, 2, 1])
    let outcome = try await follow("bird", "--limit", "2", "--format", "jsonl") { program in
      #expect(await program.line(containing: #""id":"3""#) != nil)
      for newest in 4...103 { try home.publish("bird", ids: (1...newest).reversed()) }
      #expect(await program.line(containing: #""id":"103""#) != nil)
    }
    #expect(ids(outcome.output) == Array(2...103))
    #expect(outcome.error == "" && outcome.code == 128 + SIGTERM)
  }

  @Test("`homeline show --follow` separates posts with an empty line, even those that arrive later")
  func text() async throws {
    try home.publish("bird", ids: [2, 1])
    let outcome = try await follow("bird") { program in
      #expect(await program.line(containing: "post 2") != nil)
      try home.publish("bird", ids: [3, 2, 1], head: #""gaps":[{"after":"2","before":"3","fillable":true}]"#)
      #expect(await program.line(containing: "post 3") != nil)
    }
    #expect(
      outcome.output == """
        Sean @s · 2020-01-01
          post 1

        Sean @s · 2020-01-01
          post 2

        · · ·  posts may be missing here

        Sean @s · 2020-01-01
          post 3

        """)
  }

  @Test("`homeline show --follow` waits for a missing file, and finds it again after its folder was recreated")
  func folders() async throws {
    let outcome = try await follow("bird", "--format", "jsonl") { program in
      #expect(await program.line(containing: "waiting for it", on: .error) != nil)
      try home.publish("bird", ids: [2, 1])
      #expect(await program.line(containing: #""id":"2""#) != nil)
      for id in 3..<8 {
        try File.remove(home.file(of: "bird"))
        for folder in ["\(home.cache)/bird", home.cache, "\(home.path)/cache"] { try Folder.remove(folder) }
        try home.publish("bird", ids: (1...id).reversed())
        #expect(await program.line(containing: #""id":"\#(id)""#) != nil)
      }
    }
    #expect(ids(outcome.output) == Array(1..<8))
  }

  @Test(
    "`homeline show --follow` reports an invalid file or a newer schema only once and continues once the file is valid again"
  )
  func broken() async throws {
    try home.publish("bird", ids: [1])
    let outcome = try await follow("bird", "--format", "jsonl") { program in
      #expect(await program.line(containing: #""id":"1""#) != nil)
      for _ in 0..<3 { try home.write(#"{"schema":7}"#, to: "bird") }
      #expect(await program.line(containing: "schema 7", on: .error) != nil)
      try home.publish("bird", ids: [2, 1])
      #expect(await program.line(containing: #""id":"2""#) != nil)
    }
    #expect(ids(outcome.output) == [1, 2])
    #expect(outcome.error.split(separator: "\n").count == 1, "\(outcome.error)")
  }

  @Test("`homeline show --follow` reports when posts become stale and when they are up to date again")
  func stale() async throws {
    try home.publish("bird", ids: [1])
    let outcome = try await follow("bird", "--format", "jsonl") { program in
      #expect(await program.line(containing: #""id":"1""#) != nil)
      let stale = #""stale_since":"2020-01-01T00:00:00Z","error":{"code":"network","message":"no way"}"#
      for id in 2...3 { try home.publish("bird", ids: (1...id).reversed(), head: stale) }
      #expect(await program.line(containing: "no way", on: .error) != nil)
      try home.publish("bird", ids: [4, 3, 2, 1])
      #expect(await program.line(containing: "bird: up to date again", on: .error) != nil)
    }
    #expect(outcome.error.split(separator: "\n").count == 2, "\(outcome.error)")
  }

  @Test("`homeline show --follow` can follow all accounts, including those added later")
  func all() async throws {
    try home.publish("bird", ids: [3, 1])
    try home.publish("cat", ids: [2])
    let outcome = try await follow("--account", "all", "--limit", "2", "--format", "jsonl") { program in
      #expect(await program.line(containing: #""id":"3""#) != nil)
      try home.publish("cat", ids: [4, 2])
      #expect(await program.line(containing: PublishedFilesFixture.post(4, more: #","account":"cat""#)) != nil)
      try home.publish("dog", ids: [5])
      #expect(await program.line(containing: PublishedFilesFixture.post(5, more: #","account":"dog""#)) != nil)
      try home.publish("dog", ids: [6, 5])
      #expect(await program.line(containing: PublishedFilesFixture.post(6, more: #","account":"dog""#)) != nil)
    }
    #expect(ids(outcome.output) == [2, 3, 4, 5, 6] && outcome.error == "")
  }

  @Test("Without an account, `homeline show --follow` follows all enabled accounts, even those without a file")
  func enabled() async throws {
    try home.publish("bird", ids: [1])
    try home.publish("demo", ids: [9])
    try home.configure([("bird", true), ("cat", true), ("demo", false)])
    let outcome = try await follow("--format", "jsonl") { program in
      #expect(await program.line(containing: PublishedFilesFixture.post(1, more: #","account":"bird""#)) != nil)
      try home.publish("cat", ids: [4])
      #expect(await program.line(containing: PublishedFilesFixture.post(4, more: #","account":"cat""#)) != nil)
    }
    #expect(ids(outcome.output) == [1, 4], "\(outcome.error)")
  }

  @Test("`homeline show --follow` exits when its output is closed, even if it is idle", arguments: [true, false])
  func readerLeaves(isIdle: Bool) async throws {
    try home.publish("bird", ids: [1])
    let change = isIdle ? "" : "sleep 0.2; touch \"$2\"; "
    let script = "{ \"$1\" show --follow bird --format jsonl; echo \"ended $?\" >&2; } | { head -n 1; \(change)}"
    let program = try ProgramRun(
      "bash", ["-c", script, "bash", ProgramRun.product("homeline"), home.file(of: "bird")],
      environment: home.environment(), timeout: .seconds(60))
    let outcome = await program.end()
    #expect(outcome.output == PublishedFilesFixture.post(1) + "\n")
    #expect(outcome.error == "ended \(128 + SIGPIPE)\n" && !outcome.timedOut)
  }

  @Test("If SIGPIPE is ignored, `homeline show --follow` exits silently with 74 when its output is closed")
  func ignoredSignal() async throws {
    try home.publish("bird", ids: [1])
    let script = "trap '' PIPE; { \"$1\" show --follow bird --format jsonl; echo \"ended $?\" >&2; } | head -n 1"
    let program = try ProgramRun(
      "bash", ["-c", script, "bash", ProgramRun.product("homeline")], environment: home.environment())
    let outcome = await program.end()
    #expect(outcome.error == "ended 74\n" && !outcome.timedOut)
  }

  @Test("`homeline show --follow` does not accept --format json")
  func json() async throws {
    #expect(try await home.show("bird", "--follow", "--format", "json").code == 64)
  }
}
