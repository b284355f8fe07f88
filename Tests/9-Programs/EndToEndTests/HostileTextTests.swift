import Platform
import TestSupport
import Testing

/// Names, posts and errors with terminal control characters and bidirectional overrides, in all of homeline's output.
@Suite("Text with terminal control characters", .timeLimit(.minutes(4))) struct HostileTextTests {
  /// Text that writes to the clipboard, forges a line, hides a line, and reverses the text direction.
  private static let hostile =
    "\u{1b}]52;c;QUJD\u{7}you\r\u{1b}[1A\u{1b}[2K\u{9b}1A\u{9d}0;t\u{9c}\u{90}q\u{85}\u{7f}\u{202e}\u{2066}\u{2028}x\u{202a}"
  private static let escaped = hostile.unicodeScalars.map { scalar in
    let digits = String(scalar.value, radix: 16)
    return scalar.isASCII && scalar.value >= 0x20 && scalar.value != 0x7f
      ? String(scalar) : "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }.joined()

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0a, 0x09: false
    case ..<0x20, 0x7f...0x9f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }

  /// Checks that a string contains no control characters.
  private func check(_ text: String, _ context: String) {
    let found = text.unicodeScalars.filter(Self.isInvisible).map { String($0.value, radix: 16) }
    #expect(found.isEmpty, "\(context): \(found.prefix(10))")
  }

  private func check(_ outcome: ProgramRun.Outcome, _ context: String) {
    check(outcome.output, "\(context), standard output")
    check(outcome.error, "\(context), standard error")
  }

  @Test("User names with control characters are displayed safely in the terminal and on the login page")
  func names() async throws {
    let user = #"{"id":7,"id_str":"7","screen_name":"a\#(Self.escaped)","name":"b\#(Self.escaped)\nAuthorised as @c"}"#
    let response = Locked(RawHTTP.response(user))
    let server = try RawServer { _ in [.send(response.withLock { $0 })] }
    let fixture = try TwitterFixture()
    let members = #""refresh_seconds": 86400, "keep_posts": 5, "publish": ["html"]"#
    try fixture.configure([
      ("demo", fixture.account(members, elsewhere: ["verify_credentials": "\(server.base)/verify"]))
    ])
    let daemon = try await RunningDaemon(fixture.home, ["-v"])
    for arguments in [["-v"], []] {
      let login = try await PendingLogin(fixture.home, ["--no-browser"] + arguments)
      let page = try await login.authorise().text
      let outcome = await login.program.end()
      #expect(outcome.code == 0, "\(outcome.error.unicodeScalars.map(\.value))")
      check(outcome, "login")
      #expect(outcome.output.split(separator: "\n").count { $0.hasPrefix("Authorised as @") } == 1)
      #expect(page.contains("<h1>Authorised as @ayou"))
      check(page, "the page after a login")
    }
    check(try await fixture.home.run("status"), "status")
    check(try await fixture.home.run("status", "-v"), "status -v")
    check(try await fixture.home.run("status", "--json"), "status --json")
    check(try fixture.home.read(fixture.home.timeline(of: "demo")), "home_timeline.json")
    check(try fixture.home.read("\(fixture.home.cacheFolder)/home_timeline.html"), "home_timeline.html")

    // The error of a login as a different user contains that user's name, and the error of a denied login contains the
    // provider's message.
    response.withLock { $0 = RawHTTP.response(user.replacing("7", with: "8")) }
    for body in ["", "{\"error\":\"\(Self.escaped)\"}", "Error: \(Self.hostile)"] {
      if !body.isEmpty { response.withLock { $0 = RawHTTP.response(body, "403 Forbidden") } }
      let login = try await PendingLogin(fixture.home, ["--no-browser"])
      let page = try await login.authorise().text
      let outcome = await login.program.end()
      #expect(outcome.code == 77, "\(outcome.code)")
      check(outcome, "a login that fails")
      check(page, "the page after a login that fails")
    }
    let (ended, _) = await daemon.stop()
    check(ended, "the log")
  }

  @Test("A registration whose client id contains control characters is refused")
  func clientID() async throws {
    let body = #"{"id":"1","name":"homeline","client_id":"a\#(Self.escaped)","client_secret":"s"}"#
    let server = try RawServer { request in
      request.path == "/api/v1/apps" ? [.send(RawHTTP.response(body))] : [.send(RawHTTP.response("", "404 Not Found"))]
    }
    let home = try TestInstallation()
    try home.configure(
      #"{ "accounts": { "fox": { "provider": "mastodon", "server": "\#(server.base)" } } }"#)
    let outcome = try await home.run("login", "--no-browser", "--timeout", "1", "-v")
    #expect(outcome.code == 69, "\(outcome.code)")
    #expect(outcome.error.contains("a registered application was expected"))
    #expect(outcome.output == "")
    check(outcome, "login")
  }

  /// Returns a post with this text in every field.
  private static func post(_ text: String) -> String {
    let user = #"{"id":9,"id_str":"9","screen_name":"s\#(text)","name":"n\#(text)"}"#
    return FaultyTimeline.post(
      1, text: "needle \(text)",
      members: """
        "user":\(user),"lang":"\(text)","in_reply_to_screen_name":"\(text)","in_reply_to_status_id_str":"5",\
        "extended_entities":{"media":[{"type":"photo","media_url_https":"https://img.example/1.png","ext_alt_text":"\(text)"}]},\
        "odd\(text)":"\(text)"
        """)
  }

  @Test("Posts with control characters are published and printed safely everywhere, and their text is preserved")
  func posts() async throws {
    let timeline = try FaultyTimeline()
    let fixture = try TwitterFixture()
    let formats = #""publish": ["jsonl", "atom", "feed.json", "txt", "bar.json", "html"]"#
    let account = fixture.account(
      #""refresh_seconds": 86400, \#(formats)"#, elsewhere: ["home_timeline": timeline.address])
    try fixture.configure([("demo", account)], more: #""views": { "all": { \#(formats) } }"#)
    let daemon = try await RunningDaemon(fixture.home)
    // JSON allows some of these control characters unescaped.
    let raw = String(
      String.UnicodeScalarView(Self.hostile.unicodeScalars.filter { $0.value >= 0x7f || $0.value >= 0x20 }))
    timeline.respond([.send(RawHTTP.response("[\(Self.post(raw))]"))])
    try await daemon.logIn()

    let published = try JSONValue(file: fixture.home.timeline(of: "demo"))
    let post = try #require(published["posts"].items.first)
    #expect(post["text"].text == "needle " + raw)
    #expect(post["author"]["name"].text == "n" + raw && post["media"].items.first?["alt"].text == raw)
    let view = "\(fixture.home.path)/cache/homeline/_views/all"
    // A file that is being written has a temporary name.
    let complete = { (folder: String) in try fixture.home.names(in: folder).filter { !$0.contains(".new-") } }
    #expect(try await eventually { File.exists("\(view)/home_timeline.json") })
    for folder in [fixture.home.cacheFolder, view] {
      for name in try complete(folder) { check(try fixture.home.read("\(folder)/\(name)"), name) }
    }
    try await checkCommands(fixture)

    // An earlier version wrote these characters unescaped into the database and the published file.
    await daemon.stop()
    for character in Set(raw.unicodeScalars.filter(Self.isInvisible)) {
      let digits = String(character.value, radix: 16)
      let escape = "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      try await fixture.home.sql("UPDATE posts SET post = replace(post, '\(escape)', char(\(character.value)))")
      let text = try fixture.home.read(fixture.home.timeline(of: "demo"))
      try fixture.home.write(text.replacing(escape, with: String(character)), to: fixture.home.timeline(of: "demo"))
    }
    #expect(try fixture.home.read(fixture.home.timeline(of: "demo")).unicodeScalars.contains(where: Self.isInvisible))
    for command in [
      ["show", "--format", "json"], ["show", "--format", "jsonl"], ["show", "--account", "all", "--format", "json"],
    ] {
      check(try await fixture.home.start(command).end(), command.joined(separator: " "))
    }
    timeline.respond([.send(RawHTTP.response("[]"))])
    #expect(try await fixture.home.run("refresh").code == 0)
    for name in try fixture.home.names(in: fixture.home.cacheFolder) {
      check(try fixture.home.read("\(fixture.home.cacheFolder)/\(name)"), "\(name) of an earlier version")
    }
    try await checkCommands(fixture)
    #expect(
      try JSONValue(file: fixture.home.timeline(of: "demo"))["posts"].items.first?["text"].text == "needle " + raw)
  }

  private func checkCommands(_ fixture: TwitterFixture) async throws {
    for command in [
      ["show"], ["show", "--format", "json"], ["show", "--format", "jsonl"],
      ["show", "--view", "all", "--format", "json"],
      ["export"], ["export", "--format", "json"], ["export", "--format", "csv"], ["search", "needle"],
      ["search", "needle", "--format", "json"], ["search", "needle", "--format", "jsonl"], ["status"],
      ["status", "--json"], ["check"],
    ] {
      let outcome = try await fixture.home.start(command).end()
      #expect(outcome.code == 0, "\(command)")
      if command[0] == "export" || command[0] == "search" { #expect(outcome.output.contains("needle")) }
      // CSV lines end with CR LF (RFC 4180).
      check(outcome.output.replacing("\r\n", with: "\n"), command.joined(separator: " "))
      check(outcome.error, command.joined(separator: " "))
    }
  }
}
