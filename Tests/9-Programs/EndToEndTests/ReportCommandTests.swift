import Glibc
import Platform
import TestSupport
import Testing

/// `homeline report`, with a mail program that only records its arguments.
@Suite("`homeline report`", .timeLimit(.minutes(2))) struct ReportCommandTests {
  private static let address = ["HOMELINE_REPORT_ADDRESS": "developer@dev.example"]

  /// Returns an installation whose configuration, environment and stored state are full of private values.
  private func fixture() async throws -> (PostingFixture, [String: String]) {
    let fixture = try await PostingFixture(withService: false, accounts: ["canaryaccount"])
    let home = fixture.home
    try home.write("canaryfilesecret\n", to: "\(home.path)/canary folder/canary secret")
    try home.configure(
      """
      { "callback": { "port": 0 }, "views": { "canaryview": { "accounts": ["canaryaccount"] } },
        "media": { "private_hosts": ["canaryhost.example"] }, "accounts": {
        "canaryaccount": { "provider": "twitter", "consumer_key": "canarykey", "consumer_secret": "canaryconsumersecret",
          "endpoints": { "request_token": "https://canaryserver.invalid/a", "access_token": "https://canaryserver.invalid/b",
            "home_timeline": "http://127.0.0.1:9/canarypath" } },
        "canaryother": { "provider": "mastodon", "server": "canarysocial.invalid", "client_id": "canaryclient",
          "client_secret": { "file": "\(home.path)/canary folder/canary secret" } },
        "canarythird": { "provider": "oauth1", "consumer_key": "k",
          "consumer_secret": { "command": ["/opt/canaryprogram", "canaryargument"] },
          "endpoints": { "request_token": "https://canaryserver.invalid/a", "authorize": "https://canaryserver.invalid/b",
            "access_token": "https://canaryserver.invalid/c" } } } }
      """)
    chmod("\(home.path)/canary folder/canary secret", 0o644)
    let token = try JSONValue(file: home.token(of: "canaryaccount"))
    chmod(home.token(of: "canaryaccount"), 0o644)
    var variables = try DoctorCommandTests.programs(home)
    variables["USER"] = "canaryuser"
    // Strings that a report must not contain, in addition to everything that begins with "canary".
    variables["PRIVATE"] = [token["token"].text, token["secret"].text, token["user"]["screen_name"].text]
      .compactMap(\.self).joined(separator: "\n")
    return (fixture, variables)
  }

  /// Installs a program that records its arguments, each after a separator line.
  private func install(_ name: String, _ home: TestInstallation) throws -> String {
    let (program, record) = ("\(home.path)/bin/\(name)", "\(home.path)/\(name).arguments")
    try home.write("#!/bin/sh\nprintf 'ARGUMENT:%s\\n' \"$@\" > '\(record)'\n", to: program)
    chmod(program, 0o700)
    return record
  }

  private func expectNothingPrivate(in text: String, _ home: TestInstallation, _ variables: [String: String]) throws {
    let lower = text.lowercased()
    #expect(!lower.contains("canary"), "\(text)")
    let home = try #require(home.path.split(separator: "/").last).lowercased()
    for value in (variables["PRIVATE"] ?? "").split(separator: "\n") + [Substring(home)] {
      #expect(!lower.contains(value.lowercased()), "\(value): \(text)")
    }
  }

  @Test("The report contains doctor's results, but no name, host, path or secret")
  func redacted() async throws {
    let (fixture, variables) = try await fixture()
    let doctor = try await fixture.home.run("doctor", variables: variables)
    #expect(doctor.output.contains("canaryserver.invalid") && doctor.output.contains("canaryother"), "\(doctor.output)")
    let outcome = try await fixture.home.run("report", "--print", variables: variables)
    #expect(outcome.code == 0 && outcome.error == "", "\(outcome.error)")
    try expectNothingPrivate(in: outcome.output, fixture.home, variables)
    for text in [
      "English or Chinese", "请用英文或中文", "<host 1>", "<name 1>: not authorised", "<state>/<name ", "mode 644",
      "<path 1>", "OpenSSL",
    ] {
      #expect(outcome.output.contains(text), "\(text): \(outcome.output)")
    }
    #expect(doctor.output.split(separator: "\n").count < outcome.output.split(separator: "\n").count)
  }

  @Test("The report about an invalid configuration contains none of its names and values")
  func invalidConfiguration() async throws {
    let home = try TestInstallation()
    try home.configure(
      """
      { "canarykey": 3, "accounts": {
        "canarybird": { "provider": "canaryprovider", "server": "http://192.168.5.77" },
        "canaryfourth": { "provider": "mastodon", "server": "canaryserver.example",
          "timelines": { "list:Canary List": { "canarykey": 1 }, "user:@canaryfriend": 1, "lst:canarylist": {} } },
        "Canary Second Name": { "provider": "mastodon", "server": "canaryserver.example" },
        "canary.third": { "provider": "twitter", "consumer_key": "canarykey", "publish": ["canaryformat"],
          "consumer_secret": { "file": "~/canary disk/key file", "canary": 1 } } },
        "views": { "canaryview": { "accounts": ["canaryaccount"], "mute": { "authors": ["canaryfriend"], "x": 1 } } } }
      """)
    let variables = try DoctorCommandTests.programs(home)
    #expect(try await home.run("doctor", variables: variables).output.contains("accounts.canary.third.publish[0]"))
    let outcome = try await home.run("report", "--print", variables: variables)
    #expect(outcome.output.contains("accounts.<name 1>.provider: unknown provider"), "\(outcome.output)")
    #expect(outcome.output.contains(".publish[0]: unknown format"), "\(outcome.output)")
    #expect(outcome.output.contains(": <hidden 1>: unknown key"), "\(outcome.output)")
    try expectNothingPrivate(in: outcome.output, home, variables)
  }

  @Test("Without an address for reports, the command prints the report and reports that nothing was sent")
  func noAddress() async throws {
    let home = try TestInstallation()
    // An empty variable overrides the address that the build may have set.
    let variables = try DoctorCommandTests.programs(home).merging(["HOMELINE_REPORT_ADDRESS": ""]) { $1 }
    let record = try install("xdg-email", home)
    let outcome = try await home.run("report", variables: variables)
    #expect(outcome.code == 0 && outcome.output.contains("not authorised"))
    #expect(outcome.error.contains("there is no address to send reports to; nothing was sent"))
    #expect(!File.exists(record))
  }

  @Test("xdg-email gets the address, the subject and the printed report")
  func mailProgram() async throws {
    let home = try TestInstallation()
    let variables = try DoctorCommandTests.programs(home).merging(Self.address) { $1 }
    let record = try install("xdg-email", home)
    let outcome = try await home.run("report", variables: variables)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.error.contains("shows the email to developer@dev.example. homeline has sent nothing"))
    #expect(
      try home.read(record) == "ARGUMENT:--utf8\nARGUMENT:--subject\nARGUMENT:homeline 0.1.0: report\nARGUMENT:--body\n"
        + "ARGUMENT:\(outcome.output)\nARGUMENT:developer@dev.example\n")
  }

  @Test("If xdg-email is missing or fails, the browser opens a mailto URL", arguments: [true, false])
  func browser(withFailure: Bool) async throws {
    let home = try TestInstallation()
    var variables = try DoctorCommandTests.programs(home).merging(Self.address) { $1 }
    if withFailure {
      try home.write("#!/bin/sh\nexit 3\n", to: "\(home.path)/bin/xdg-email")
      chmod("\(home.path)/bin/xdg-email", 0o700)
    }
    let record = try install("browser", home)
    variables["BROWSER"] = "\(home.path)/bin/browser"
    // PATH contains only the test's programs, because this machine may have xdg-email.
    variables["PATH"] = "\(home.path)/bin:/usr/bin-without-mail"
    let outcome = try await home.run("report", variables: variables)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try await eventually { File.exists(record) })
    let text = try home.read(record)
    #expect(text.hasPrefix("ARGUMENT:mailto:developer@dev.example?subject=homeline%200.1.0%3A%20report&body=Please%20"))
  }

  /// Returns an installation whose report is too long for an email.
  private func longReport() throws -> (home: TestInstallation, variables: [String: String]) {
    let home = try TestInstallation()
    let accounts = (0..<80).map { #""account\#($0)": { "provider": "sandbox" }"# }.joined(separator: ", ")
    try home.configure(#"{ "callback": { "port": 0 }, "sandbox": { "port": 0 }, "accounts": { \#(accounts) } }"#)
    return (home, try DoctorCommandTests.programs(home).merging(Self.address) { $1 })
  }

  @Test("A report too long for an email is written to a file; the email and the terminal show its path")
  func long() async throws {
    let (home, variables) = try longReport()
    let record = try install("xdg-email", home)
    let outcome = try await home.run("report", variables: variables)
    #expect(outcome.code == 0 && outcome.output.contains("<name 80>: not authorised"), "\(outcome.error)")
    let file = "\(home.path)/state/homeline/_report.txt"
    #expect(try home.read(file) == outcome.output && FileStatus.of(file).permissions == 0o600)
    #expect(outcome.error.contains("contains only its beginning. Attach the complete report to the email: \(file)\n"))
    let mail = try home.read(record)
    #expect(mail.contains("\nARGUMENT:--attach\nARGUMENT:\(file)\nARGUMENT:developer@dev.example\n"), "\(mail)")
    #expect(mail.contains("Please attach the complete report: ~/state/homeline/_report.txt\n"), "\(mail)")
    #expect(mail.contains("--- cut here;") && mail.utf8.count < 4400 && !mail.contains("<name 80>"))
    let text = try #require(mail.split(separator: "ARGUMENT:").first { $0.hasPrefix("Please") })
    #expect(!text.contains(home.path) && text.utf8.count <= 4001)
    // A later report replaces the file.
    try home.write("old", to: file)
    let later = try await home.run("report", variables: variables)
    #expect(try later.code == 0 && home.read(file) == later.output)
  }

  @Test(
    "For a long report, the mailto URL names the report's file, and nothing is opened if that file cannot be written"
  )
  func longInBrowser() async throws {
    var (home, variables) = try longReport()
    let record = try install("browser", home)
    variables["BROWSER"] = "\(home.path)/bin/browser"
    variables["PATH"] = "\(home.path)/bin:/usr/bin-without-mail"
    let outcome = try await home.run("report", variables: variables)
    #expect(outcome.code == 0 && outcome.error.contains("_report.txt"), "\(outcome.error)")
    #expect(try await eventually { File.exists(record) })
    #expect(try home.read(record).contains("attach%20the%20complete%20report%3A%20~%2Fstate%2Fhomeline%2F_report.txt"))
    try File.remove(record)
    try File.remove("\(home.path)/state/homeline/_report.txt")
    try Folder.create("\(home.path)/state/homeline/_report.txt")
    let failed = try await home.run("report", variables: variables)
    #expect(
      failed.code == 74 && failed.error.contains("Send the text above to developer@dev.example"), "\(failed.error)")
    #expect(failed.output.contains("<name 80>") && !File.exists(record))
  }

  @Test("Without a mail program, the command prints the address for reports and exits with 69")
  func noProgram() async throws {
    let home = try TestInstallation()
    let outcome = try await home.run(
      "report", variables: Self.address.merging(["PATH": "\(home.path)/none"]) { $1 })
    #expect(outcome.code == 69 && outcome.output.contains("not authorised"))
    #expect(outcome.error.contains("Send the text above to developer@dev.example"), "\(outcome.error)")
  }
}
