import Glibc
import Platform
import TerminalText
import TestSupport
import Testing

/// `homeline demo` on a machine that has none of homeline's files.
@Suite struct DemoTests {
  private let folder = TemporaryFolder()
  private var file: String { "\(folder.path)/cache/homeline/_demo/cache/demo/home_timeline.json" }

  private func start(_ arguments: String...) throws -> ProgramRun {
    try ProgramRun(
      ProgramRun.product("homeline"), ["demo", "--sandbox-port", "0"] + arguments,
      environment: ProgramRun.environment(home: folder.path))
  }

  @Test("`homeline demo --once` prints each step and the newest posts, and publishes a file that jq can read")
  func once() async throws {
    let outcome = try await start("--once").end()
    #expect(outcome.code == 0)
    #expect(outcome.error == "")
    let lines = outcome.output.split(separator: "\n").map { String($0) }
    for step in 1...6 { #expect(lines.contains { $0.hasPrefix("\(step). ") }, "step \(step)") }
    #expect(lines.first?.hasPrefix("There is no browser here, so homeline will press Authorise") == true)
    #expect(
      lines.contains { $0.contains("No browser was found, so homeline opens the page and presses Authorise itself") })
    #expect(lines.contains { $0.contains("The final page says: Authorised as @mira_demo") })
    #expect(lines.last == "   \(file)")
    let jq = try await ProgramRun.run(
      "jq", ["-r", ".account, .user.screen_name, (.posts | length)", file],
      environment: ProgramRun.environment(home: folder.path))
    #expect(jq.output == "demo\nmira_demo\n200\n")
    // The demo uses its own folder, which contains none of the user's accounts.
    #expect(try Folder.names(in: folder.path) == ["cache"])
    #expect(try Folder.names(in: "\(folder.path)/cache/homeline") == ["_demo"])
  }

  @Test(
    "On a terminal, the demo's posts are coloured and wrapped, and no escape sequence is visible", arguments: [40, 80])
  func terminal(columns: Int) async throws {
    let run = try await TerminalRun(
      ["demo", "--sandbox-port", "0", "--once"],
      environment: ProgramRun.environment(home: folder.path, ["TERM": "xterm-256color"]), columns: columns)
    #expect(run.status == 0)
    #expect(run.output.contains("\u{1b}[1m") && !run.output.contains("\\u{"), "\(run.output)")
    for line in run.output.replacing(/\u{1b}\[[0-9;]*m/, with: "").split(separator: "\n") {
      // An address is not broken, not even in a quotation.
      #expect(TextColumns.of(String(line)) <= columns || !line.drop { " >".contains($0) }.contains(" "), "\(line)")
    }
  }

  @Test(
    "The demo can log in to each OAuth 2.0 provider repeatedly", arguments: ["x", "weibo", "mastodon"])
  func providers(name: String) async throws {
    for _ in 0..<2 {
      let outcome = try await start("--provider", name, "--once").end()
      #expect(outcome.code == 0 && outcome.error == "", "\(outcome.error)")
      let lines = outcome.output.split(separator: "\n").map { String($0) }
      for step in 1...6 { #expect(lines.contains { $0.hasPrefix("\(step). ") }, "step \(step)") }
      #expect(lines.contains { $0.contains("its code was exchanged for a token") })
      #expect(lines.contains { $0.contains("The final page says: Authorised as @") })
      let file = "\(folder.path)/cache/homeline/_demo-\(name)/cache/demo/home_timeline.json"
      #expect(lines.last == "   \(file)")
      let jq = try await ProgramRun.run(
        "jq", ["-r", ".provider, .error, ((.posts | length) >= 20)", file],
        environment: ProgramRun.environment(home: folder.path))
      #expect(jq.output == "\(name)\nnull\ntrue\n")
    }
    #expect(try Folder.names(in: "\(folder.path)/cache/homeline") == ["_demo-\(name)"])
  }

  @Test("The demo can run again with the files of an earlier run, and --port sets its port")
  func again() async throws {
    #expect(try await start("--once").end().code == 0)
    let reserved = try ReservedPort()
    defer { withExtendedLifetime(reserved) {} }
    let outcome = try await start("--once", "--port", "\(reserved.port)").end()
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("listener is open on loopback port \(reserved.port)"))
  }

  @Test(
    "If the port of the demo's provider is in use, the demo exits with 73 and names the option for another port"
  )
  func portTaken() async throws {
    let port = try RawServer { _ in [] }
    defer { port.stop() }
    let outcome = try await ProgramRun.run(
      ProgramRun.product("homeline"), ["demo", "--once", "--sandbox-port", "\(port.port)"],
      environment: ProgramRun.environment(home: folder.path))
    #expect(outcome.code == 73 && outcome.error.contains("--sandbox-port of the demo"), "\(outcome.error)")
  }

  @Test(
    "The demo refreshes until Ctrl-C and then exits with 0; a second demo started meanwhile exits with 75")
  func goesOn() async throws {
    let demo = try start()
    #expect(await demo.line(containing: "Press Ctrl-C to end the demonstration") != nil)
    let second = try await start("--once").end()
    #expect(second.code == 75)
    #expect(second.error.contains("homeline demo (process \(demo.process))"))
    // The second refresh follows ten seconds after the first.
    let first = try JSONValue(file: file)["refreshed_at"]
    #expect(try await eventually(within: .seconds(120)) { try JSONValue(file: file)["refreshed_at"] != first })
    #expect(demo.isRunning)
    demo.signal(SIGINT)
    #expect(await demo.end().code == 0)
    #expect(try await start("--once").end().code == 0)
  }

  @Test("If there is a browser, the demo leaves the Authorise button to the user")
  func browser() async throws {
    let script = "\(folder.path)/browser"
    try AtomicFile.write(Array("#!/bin/sh\nexit 0\n".utf8), to: script, .replaced)
    chmod(script, 0o700)
    let demo = try ProgramRun(
      ProgramRun.product("homeline"), ["demo", "--once", "--sandbox-port", "0"],
      environment: ProgramRun.environment(home: folder.path, ["BROWSER": script]))
    #expect(await demo.line(containing: "Press Authorise there") != nil)
    let line = try #require(await demo.line(containing: "oauth_token="))
    let address = try LocalURL(String(line.drop { $0 == " " }))
    let browser = ScriptedBrowser()
    let page = try browser.follow(browser.redirect(of: browser.press("deny", at: address)))
    #expect(page.text.contains("You refused"))
    let outcome = await demo.end()
    #expect(outcome.code == 77)
    #expect(outcome.error.contains("you refused"))
  }

  @Test("Ctrl-C during the wait for the browser ends the demo with SIGINT and leaves no partial files")
  func interrupted() async throws {
    let demo = try ProgramRun(
      ProgramRun.product("homeline"), ["demo", "--sandbox-port", "0"],
      environment: ProgramRun.environment(home: folder.path, ["BROWSER": "/bin/true"]))
    #expect(await demo.line(containing: "Press Authorise there") != nil)
    demo.signal(SIGINT)
    #expect(await demo.end().code == 128 + SIGINT)
    #expect(try Folder.names(in: "\(folder.path)/cache/homeline/_demo/state/demo").isEmpty)
  }

  @Test(
    "The programs are not linked to libcurl, and homeline is not linked to libcrypto and SQLite either",
    arguments: [
      ("homeline", ["libcurl", "libssl", "libcrypto", "libsqlite3"]), ("homelined", ["libcurl", "libssl"]),
    ])
  func libraries(_ program: String, _ others: [String]) async throws {
    let needed = try await ProgramRun.run(
      "readelf", ["--dynamic", "--wide", ProgramRun.product(program)],
      environment: ProgramRun.environment(home: folder.path))
    #expect(needed.code == 0)
    #expect(needed.output.contains("(NEEDED)"))
    for library in others {
      #expect(!needed.output.contains(library), "\(library)")
    }
  }

  @Test("If libcurl cannot be loaded, the error names the package to install")
  func withoutLibcurl() async throws {
    let libraries = "\(folder.path)/libraries"
    try Folder.create(libraries)
    let junk = try Descriptor.open("\(libraries)/libcurl.so.4", O_WRONLY | O_CREAT, mode: 0o600)
    try junk.write(Array("no library".utf8))
    let demo = try ProgramRun(
      ProgramRun.product("homeline"), ["demo", "--once", "--sandbox-port", "0"],
      environment: ProgramRun.environment(home: folder.path, ["LD_LIBRARY_PATH": libraries]))
    let outcome = await demo.end()
    #expect(outcome.code == 69 || outcome.code == 70 || outcome.code == 75, "\(outcome.code)")
    #expect(outcome.error.contains("libcurl cannot be used"), "\(outcome.error)")
    #expect(outcome.error.contains("install the package libcurl4"), "\(outcome.error)")
  }
}
