import Platform
import TestSupport
import Testing

/// The configurations and commands in docs/how-to/mail.md, with Debian's mail programs and an IMAP and SMTP server that
/// checks each token with the authorisation server.
@Suite(.needsPeers, .timeLimit(.minutes(5))) struct MailProgramsTests {
  private static let user = "mira@example.org"

  /// What the mail server saw of one program.
  private struct Report {
    let codes: [Int?]
    /// Each login as `imap XOAUTH2 valid`.
    let logins: Set<String>
    let fetched: Int
    let messages: [String]
    let output: String
  }

  /// An installation with an authorised account `google`.
  private struct Mailbox {
    let home: TestInstallation
    let server: OAuth2PeerServer

    init() async throws {
      server = try await OAuth2PeerServer(["--scopes", "https://mail.google.com/", "--client-auth", "post"])
      home = try TestInstallation()
      try home.configure(
        """
        { "callback": { "port": 0 }, "accounts": { "google": {
          "provider": "google", "client_id": "\(server.clientID)", "client_secret": "\(server.clientSecret)",
          "endpoints": {
            "authorize": "\(try #require(server.endpoints["authorize"]))", "token": "\(try #require(server.endpoints["token"]))"
          } } } }
        """)
      try Folder.create("\(home.path)/run")
      let login = try await PendingLogin(home, ["google", "--no-browser", "--timeout", "200"])
      _ = try await ScriptedBrowser.visitAll(from: login.redirect(pressing: "allow"))
      let outcome = await login.program.end()
      try #require(outcome.code == 0, "\(outcome.error)")
    }

    /// Sets up the program of a section and runs the section's commands.
    func run(_ section: String) async throws -> Report {
      let path = home.environment()["PATH"] ?? ""
      let outcome = try await ProgramRun.run(
        try #require(Peers.python),
        [
          Peers.path(of: "mail_programs.py"), Repository.path("docs/how-to/mail.md"), section, "--user",
          user,
          "--resource", try #require(server.endpoints["me"]),
        ],
        environment: home.environment([
          "PATH": "\(try ServiceUnitTests.programs):\(path)", "PYTHONDONTWRITEBYTECODE": "1",
        ]), timeout: .seconds(240))
      try #require(outcome.code == 0, "\(outcome.error)")
      let report = try JSONValue(Array(outcome.output.utf8))
      return Report(
        codes: report["codes"].items.map(\.integer),
        logins: Set(
          report["logins"].items.map { login in
            let parts = login.items
            return "\(parts[0].text ?? "") \(parts[1].text ?? "") \(parts[2] == .boolean(true) ? "valid" : "invalid")"
          }), fetched: try #require(report["fetched"].integer), messages: report["messages"].items.compactMap(\.text),
        output: report["output"].text ?? "")
    }
  }

  private static var hasXOAUTH2Plugin: Bool {
    ((try? Folder.names(in: "/usr/lib")) ?? []).contains { triplet in
      ((try? Folder.names(in: "/usr/lib/\(triplet)/sasl2")) ?? []).contains { $0.contains("oauth2") }
    }
  }

  @Test(
    "mbsync fetches mail with a token", .needs("mbsync"),
    .enabled(if: hasXOAUTH2Plugin, "no SASL plugin for XOAUTH2 is installed"))
  func mbsync() async throws {
    let mailbox = try await Mailbox()
    let report = try await mailbox.run("mbsync")
    #expect(report.codes == [0] && report.logins == ["imap XOAUTH2 valid"], "\(report)")
    let files = try mailbox.home.files(below: "\(mailbox.home.path)/Mail/google/INBOX/new")
    #expect(files.count == 1)
    for file in files { #expect(try mailbox.home.read(file).contains("Subject: A test of tokens")) }
  }

  @Test("msmtp sends mail with a token, and a refused token can be renewed", .needs("msmtp"))
  func msmtp() async throws {
    let mailbox = try await Mailbox()
    let sent = try await mailbox.run("msmtp")
    #expect(sent.codes == [0] && sent.logins == ["smtp XOAUTH2 valid"], "\(sent)")
    #expect(sent.messages.first?.contains("Subject: A test\n\nIt works.") == true)
    try await mailbox.server.control(#"{"do": "expire_access"}"#)
    let refused = try await mailbox.run("msmtp")
    #expect(refused.codes == [77] && refused.logins == ["smtp XOAUTH2 invalid"], "\(refused)")
    #expect(refused.messages.isEmpty)
    #expect(try await mailbox.home.run("token", "--renew", "google").code == 0)
    #expect(try await mailbox.run("msmtp").codes == [0])
  }

  @Test("NeoMutt reads and sends mail with a token", .needs("neomutt"))
  func neomutt() async throws {
    let report = try await Mailbox().run("NeoMutt")
    #expect(report.codes == [0, 0], "\(report)")
    #expect(report.logins == ["imap OAUTHBEARER valid", "smtp OAUTHBEARER valid"])
    #expect(report.fetched > 0 && report.messages.first?.contains("It works.") == true)
  }

  @Test("aerc reads and sends mail with a token", .needs("aerc"))
  func aerc() async throws {
    let report = try await Mailbox().run("aerc")
    #expect(report.codes == [0, 0], "\(report)")
    #expect(report.logins == ["imap XOAUTH2 valid", "smtp XOAUTH2 valid"])
    #expect(report.fetched > 0 && report.messages.first?.contains("It works.") == true)
  }
}
