import Bytes
import Folders
import Glibc
import HomelineOAuth
import Platform
import Storage
import StorageFiles
import StorageSQLite
import StorageTestSupport
import TerminalText
import TestSupport
import Testing
import Time
import Timeline

/// The lines of `homeline status`: times, marks, widths and colours.
@Suite("The lines of `homeline status`", .timeLimit(.minutes(2))) struct StatusLinesTests {
  private let home: TestInstallation
  private let layout: FileLayout
  /// 12:00 UTC on Friday, 20 November 2026.
  private static let noon = Timestamp(seconds: 1_795_176_000)

  init() throws {
    home = try TestInstallation()
    layout = FileLayout(try #require(BaseDirectories(environment: home.environment())))
  }

  /// Stores a token and a state of an account.
  private func store(_ home: TimelineState, of account: String = "demo", name: String = "sean") throws {
    let identity = AccountIdentity(
      server: "http://127.0.0.1", user: User(id: "1", screenName: name, name: "Sean Cook"))
    let token = StoredToken(
      provider: "sandbox", identity: identity,
      grant: .oauth1(TokenCredentials(identifier: "at", secret: Secret("s"))), authorisedAt: Self.noon)
    try TokenStore(layout.files(of: account)).keep(token, at: Self.noon)
    let database = try AccountDatabase.open(layout.files(of: account), at: Self.noon)
    try database.update { $0[.home] = home }
    database.close()
  }

  private func status(
    at now: Timestamp, _ variables: [String: String] = [:], _ arguments: String...
  ) async throws -> String {
    let all = FakeTime.standing(at: now).merging(["TZ": "UTC"]) { $1 }.merging(variables) { $1 }
    let outcome = try await home.start(["status"] + arguments, all).end()
    try #require(outcome.code == 0, "\(outcome.error)")
    return outcome.output
  }

  @Test("Times are shown in the time zone of TZ, followed by their age", .needsFakeTime)
  func zones() async throws {
    try store(TimelineState(refreshedAt: Self.noon))
    for (seconds, zone, text) in [
      (10, "UTC", "12:00, now"), (180, "UTC", "12:00, 3 min ago"), (180, "Asia/Tokyo", "21:00, 3 min ago"),
      (180, "America/New_York", "07:00, 3 min ago"), (7200, "UTC", "12:00, 2 h ago"),
      // It is the next day in Tokyo, but not in New York.
      (6 * 3600, "Asia/Tokyo", "Fri 21:00, 6 h ago"), (6 * 3600, "America/New_York", "07:00, 6 h ago"),
      (2 * 86400, "UTC", "Fri 12:00, 2 d ago"), (14 * 86400, "UTC", "2026-11-20, 14 d ago"),
    ] {
      let line = try await status(at: Self.noon + .seconds(seconds), ["TZ": zone])
      #expect(line == "✓ demo  @sean  \(text)\n", "\(zone)")
    }
  }

  @Test("Times are formatted for the locale in LC_TIME, unless that locale is unknown or not UTF-8", .needsFakeTime)
  func languages() async throws {
    try store(TimelineState(refreshedAt: Self.noon))
    for (source, charset) in [("de_DE", "UTF-8"), ("en_US", "UTF-8"), ("ja_JP", "UTF-8"), ("fr_FR", "ISO-8859-1")] {
      guard File.exists("/usr/share/i18n/locales/\(source)"), File.exists("/usr/bin/localedef") else {
        try skipTest("Debian's package locales is not installed")
      }
      let outcome = try await ProgramRun.run(
        "localedef", ["--no-archive", "-i", source, "-f", charset, "\(home.path)/\(source).\(charset)"],
        environment: home.environment())
      // localedef exits with 1 after a warning.
      try #require(outcome.code < 2, "\(outcome.error)")
    }
    for (language, days, text) in [
      ("de_DE.UTF-8", 2, "Fr 12:00, 2 d ago"), ("de_DE.UTF-8", 14, "20.11.2026, 14 d ago"),
      ("en_US.UTF-8", 2, "Fri 12:00 PM, 2 d ago"), ("en_US.UTF-8", 14, "11/20/2026, 14 d ago"),
      ("ja_JP.UTF-8", 2, "金 12:00, 2 d ago"), ("ja_JP.UTF-8", 14, "2026年11月20日, 14 d ago"),
      ("fr_FR.ISO-8859-1", 2, "Fri 12:00, 2 d ago"), ("xx_XX.UTF-8", 14, "2026-11-20, 14 d ago"),
    ] {
      let line = try await status(
        at: Self.noon + .seconds(days * 86400), ["LOCPATH": home.path, "LC_TIME": language])
      #expect(line == "✓ demo  @sean  \(text)\n", "\(language)")
    }
  }

  @Test("An account's line reports what is wrong, when the next attempt is, and what to do", .needsFakeTime)
  func remarks() async throws {
    let accounts = ["ok", "failing", "ended", "overdue"].map { #""\#($0)": {"provider": "sandbox"}"# }
    try home.configure(#"{"sandbox": {"port": 0}, "accounts": {\#(accounts.joined(separator: ", "))}}"#)
    try store(TimelineState(refreshedAt: Self.noon, nextRefreshAt: Self.noon + .seconds(90)), of: "ok")
    try store(
      TimelineState(
        refreshedAt: Self.noon, nextRefreshAt: Self.noon + .seconds(900), staleSince: Self.noon,
        problem: Problem(code: .network, message: "no reply.", retryAt: Self.noon + .seconds(900))), of: "failing")
    try store(
      TimelineState(
        refreshedAt: Self.noon, staleSince: Self.noon, problem: Problem(code: .notAuthorised, message: "401")),
      of: "ended")
    try store(
      TimelineState(refreshedAt: Self.noon - .seconds(3600), nextRefreshAt: Self.noon - .seconds(3000)), of: "overdue")
    #expect(
      try await status(at: Self.noon) == """
        ✓ ok       @sean  12:00, now
        ! failing  @sean  12:00, now      no reply. Next attempt: 12:15
        ✗ ended    @sean  12:00, now      the token is no longer valid; log in again: homeline login ended
        ! overdue  @sean  11:00, 1 h ago  the refresh is overdue, and no service is running

        """)
  }

  @Test("On a terminal, lines are coloured, and wrapped to its width in columns", .needsFakeTime, .needs("script"))
  func terminal() async throws {
    try home.configure(
      #"{"sandbox": {"port": 0}, "accounts": {"wide": {"provider": "sandbox"}, "none": {"provider": "sandbox"}}}"#)
    try store(TimelineState(refreshedAt: Self.noon), of: "wide", name: "日本語の名前")
    for (columns, noColor) in [(100, ""), (40, ""), (40, "1"), (20, "1")] {
      let command = "stty cols \(columns) && '\(ProgramRun.product("homeline"))' status 2>'\(home.path)/notes'"
      let variables = FakeTime.standing(at: Self.noon).merging(
        ["SHELL": "/bin/sh", "TERM": "xterm", "TZ": "UTC", "NO_COLOR": noColor]) { $1 }
      let outcome = try await ProgramRun.run(
        "script", ["-qec", command, "/dev/null"], environment: home.environment(variables))
      let lines = outcome.output.split(separator: "\r\n").map(String.init)
      #expect(outcome.output.contains("\u{1b}[") == noColor.isEmpty, "\(outcome.output)")
      let plain = lines.map { $0.replacing(/\u{1b}\[[0-9]*m/, with: "") }
      #expect(plain.allSatisfy { TextColumns.of($0) < columns }, "\(plain)")
      #expect(
        plain
          == [
            100: [
              "✓ wide  @日本語の名前  12:00, now",
              "✗ none                 never       not authorised. To authorise it: homeline login none",
            ],
            40: [
              "✓ wide  @日本語の名前  12:00, now", "✗ none  not authorised. To authorise",
              "        it: homeline login none",
            ],
            20: [
              "✓ wide  12:00, now", "✗ none  not", "    authorised. To", "    authorise it:",
              "    homeline login", "    none",
            ],
          ][columns], "\(plain)")
    }
  }

  @Test("A thousand accounts have a line each")
  func thousand() async throws {
    let accounts = (1...1000).map { #""a\#($0)": {"provider": "sandbox"}"# }.joined(separator: ",")
    try home.configure(#"{"sandbox": {"port": 0}, "accounts": {\#(accounts)}}"#)
    let outcome = try await home.run("status")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 1000 && lines.allSatisfy { $0.hasPrefix("✗ a") && $0.contains("homeline login a") })
  }
}
