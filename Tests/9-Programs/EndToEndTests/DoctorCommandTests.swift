import Glibc
import Platform
import TestSupport
import Testing

/// `homeline doctor`, with and without faults.
@Suite("`homeline doctor`", .timeLimit(.minutes(2))) struct DoctorCommandTests {
  /// Replaces the service manager's programs, so that the results do not depend on this machine.
  static func programs(_ home: TestInstallation, systemctl: String = "exit 1", loginctl: String = "exit 1") throws
    -> [String: String]
  {
    for (name, script) in [("systemctl", systemctl), ("loginctl", loginctl)] {
      let path = "\(home.path)/bin/\(name)"
      try home.write("#!/bin/sh\n\(script)\n", to: path)
      chmod(path, 0o700)
    }
    return ["PATH": "\(home.path)/bin:" + (getenv("PATH").map { String(cString: $0) } ?? "")]
  }

  /// Returns the lines of the given level.
  private static func lines(_ level: String, in output: String) -> [Substring] {
    output.split(separator: "\n").filter { $0.hasPrefix(level) }
  }

  @Test(
    "`homeline doctor` exits with 0 if it finds no faults, with or without a running service",
    arguments: [true, false])
  func sound(withService: Bool) async throws {
    // The provider and the program have the same clock.
    let fixture = try TwitterFixture()
    let daemon = withService ? try await RunningDaemon(fixture.home) : nil
    if let daemon { try await daemon.logIn() } else { try await fixture.home.logIn() }
    let outcome = try await fixture.home.run("doctor", variables: try Self.programs(fixture.home))
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.error)")
    #expect(Self.lines("fault", in: outcome.output) == [])
    // Without a service, the account is refreshed by hand only.
    let warnings = Self.lines("warning", in: outcome.output)
    #expect(warnings.count == (withService ? 0 : 1), "\(outcome.output)")
    #expect(
      warnings.allSatisfy {
        $0.contains("no account is refreshed. To refresh every two minutes, ")
          && $0.contains(" * * * * \(ProgramRun.product("homeline")) daemon --once")
      }, "\(outcome.output)")
    let owner = withService ? "owns the state" : "no process owns the state"
    for text in [
      owner, "homeline 0.1.0", "OpenSSL", "libcurl", "1 enabled account", "each login uses a free port",
      "1 account has its keys", "1 account is authorised", "MiB are free", "responds without TLS, from this machine",
      "1 is sound", "there are none",
    ] {
      #expect(outcome.output.contains(text), "\(text): \(outcome.output)")
    }
    #expect(
      outcome.error == (withService ? "homeline: everything is ok\n" : "homeline: 0 faults and 1 warning\n"),
      "\(outcome.error)")
    await daemon?.stop()
  }

  @Test("A logout is not a fault: `homeline doctor` reports it once, as a warning")
  func loggedOut() async throws {
    let fixture = try TwitterFixture()
    try await fixture.home.logIn()
    try await #require(fixture.home.run("logout", "demo").code == 0)
    let outcome = try await fixture.home.run("doctor", variables: try Self.programs(fixture.home))
    #expect(outcome.code == 0, "\(outcome.output)")
    #expect(Self.lines("fault", in: outcome.output) == [])
    #expect(
      Self.lines("warning", in: outcome.output).count { $0.contains("homeline login demo") } == 1, "\(outcome.output)")
  }

  @Test("`homeline doctor` reports a fault if the local clock differs from a server's")
  func clock() async throws {
    // The provider's clock is six hours behind.
    let fixture = try await PostingFixture(withService: false)
    let outcome = try await fixture.home.run("doctor", variables: try Self.programs(fixture.home))
    #expect(outcome.code == 1, "\(outcome.output)")
    // The provider's clock does not advance, so the difference grows while other tests run.
    let difference = try #require(outcome.output.firstMatch(of: /this machine's clock is ([0-9]+) s ahead/))
    #expect((21_600..<28_800).contains(Int(difference.1) ?? 0), "\(outcome.output)")
    #expect(outcome.output.contains(". Set the clock: timedatectl set-ntp true\n"), "\(outcome.output)")
  }

  @Test("`homeline doctor` changes no files", arguments: [true, false])
  func unchanged(withService: Bool) async throws {
    let fixture = try await PostingFixture(withService: withService)
    let variables = try Self.programs(fixture.home)
    _ = try await fixture.daemon?.becomesIdle()
    // Anyone who reads a database can create an empty log and SQLite's shared-memory index of it.
    let script =
      "cd '\(fixture.home.path)' && find config data state cache -type f ! -name '*-shm' ! -empty -printf '%p %i %m %s %T@\\n' | sort"
    var files: (before: String, after: String) = ("", "")
    // The service writes feeds and pages up to a minute after a refresh, and may do so while doctor runs.
    let isUnchanged = try await eventually {
      files.before = try await fixture.home.shell(script).output
      _ = try await fixture.home.run("doctor", variables: variables)
      files.after = try await fixture.home.shell(script).output
      return files.after == files.before
    }
    #expect(isUnchanged, "before:\n\(files.before)\nafter:\n\(files.after)")
    #expect(files.before.contains("timeline.db "))
    await fixture.end()
  }

  @Test("Without a configuration, `homeline doctor` explains how to create one and creates no files")
  func nothing() async throws {
    let folder = TemporaryFolder()
    let outcome = try await ProgramRun.run(
      ProgramRun.product("homeline"), ["doctor"],
      environment: ProgramRun.environment(home: folder.path, ["PATH": "/nonexistent"]))
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("there is no account yet. To add one: homeline login\n"), "\(outcome.output)")
    #expect(outcome.error == "homeline: 1 fault and 0 warnings\n")
    #expect(try Folder.names(in: folder.path) == [])
  }

  @Test("`homeline doctor` reports each fault on one line, together with the next step")
  func faults() async throws {
    let fixture = try await PostingFixture(withService: false)
    let home = fixture.home
    // The faults are a token that others can read, a missing secret program, an unknown host, a port in use and a
    // corrupt database.
    let socket = try BoundSocket()
    try socket.listen()
    chmod(home.token, 0o644)
    try home.configure(
      """
      { "callback": { "port": \(socket.port) }, "accounts": {
        "demo": { "provider": "twitter", "consumer_key": "k", "consumer_secret": { "command": ["no-such-program"] },
          "endpoints": { "request_token": "https://no-such-host.invalid/", "access_token": "https://no-such-host.invalid/",
            "home_timeline": "http://127.0.0.1:9/" } } } }
      """)
    _ = try await home.shell("dd if=/dev/zero of='\(home.database)' bs=1024 seek=8 count=4 conv=notrunc 2>&1")
    let outcome = try await home.run(
      "doctor",
      variables: try Self.programs(
        home, systemctl: "printf 'LoadState=loaded\\nActiveState=failed\\nResult=exit-code\\nExecMainStatus=78\\n'"))
    #expect(outcome.code == 1, "\(outcome.output)")
    let faults = Self.lines("fault", in: outcome.output)
    for text in [
      "homeline.service has failed (exit-code, exit code 78). The reason is in: journalctl",
      "listens on \(socket.port). Stop it, or set another callback.port",
      "demo: the program no-such-program, which prints the secret, was not found. Install it",
      "no-such-host.invalid: ", "127.0.0.1:9 cannot be reached",
      "other users can read or change \(home.token) (mode 644), which contains secrets. Run: chmod 600 '\(home.token)'",
      "demo: the database is corrupt: ",
    ] {
      #expect(faults.contains { $0.contains(text) }, "\(text): \(outcome.output)")
    }
    #expect(!outcome.output.contains("k-secret"))
  }

  @Test("`homeline doctor` reports an unresponsive service as a fault, without waiting for it")
  func silentService() async throws {
    let fixture = try await PostingFixture(withService: true)
    let daemon = try #require(fixture.daemon)
    daemon.program.signal(SIGSTOP)
    defer { daemon.program.signal(SIGCONT) }
    let outcome = try await fixture.home.run("doctor", variables: try Self.programs(fixture.home))
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("the state owner is not responding at "), "\(outcome.output)")
    daemon.program.signal(SIGCONT)
    await fixture.end()
  }

  @Test("`homeline doctor` shows the state of the systemd units, and whether lingering is enabled")
  func units() async throws {
    let home = try TestInstallation()
    let active = "printf 'LoadState=loaded\\nActiveState=active\\nUnitFileState=enabled\\nNRestarts=3\\n'"
    let outcome = try await home.run(
      "doctor", variables: try Self.programs(home, systemctl: active, loginctl: "echo no"))
    #expect(outcome.output.contains("homeline.service is active, but was restarted 3 times"), "\(outcome.output)")
    #expect(outcome.output.contains("To keep it running: loginctl enable-linger"), "\(outcome.output)")
    // A missing login is only a warning, which does not affect the exit code.
    #expect(outcome.output.contains("demo: not authorised. To authorise it: homeline login demo"), "\(outcome.output)")
    #expect(outcome.code == 0)
  }

  @Test(
    "`homeline doctor --json` prints the same results as the text output, and conforms to its JSON Schema", .needsPeers
  )
  func json() async throws {
    let home = try TestInstallation()
    let outcome = try await home.run("doctor", "--json", variables: try Self.programs(home))
    let json = try JSONValue(Array(outcome.output.utf8))
    #expect(json["schema"].integer == 1 && json["faults"].integer == 0 && json["warnings"].integer == 1)
    let tokens = try #require(json["findings"].items.first { $0["check"].text == "tokens" })
    #expect(tokens["level"].text == "warning" && tokens["message"].text == "demo: not authorised")
    #expect(tokens["next_step"].text == "To authorise it: homeline login demo")
    let file = "\(home.path)/doctor.json"
    try home.write(outcome.output, to: file)
    #expect(try await PublishedSchemaTests.violations(of: "doctor", file) == "")
    try home.write(outcome.output.replacing(#""level": "warning""#, with: #""level": "other""#), to: file)
    #expect(try await PublishedSchemaTests.violations(of: "doctor", file) != "")
  }
}
