import Glibc
import Platform
import Sandbox
import SandboxSupport
import Settings
import TestSupport
import Testing

@Suite("Secrets in the service's output") struct ServiceSecrecyTests {
  private static let members = #""refresh_seconds": 15, "keep_posts": 20"#

  @Test("While the service runs, no secret appears in the log, published files or responses")
  func secrets() async throws {
    let fixture = try TwitterFixture(Self.members)
    var secrets: [String] = [TwitterFixture.consumerSecret, "open%2Bsesame", "not-the-secret"]
    var output = ""
    let daemon = try await RunningDaemon(fixture.home, ["-v"])

    // The run includes a denial, stray callbacks, and then an approval. The clients log verbosely, too.
    let refused = try await PendingLogin(fixture.home, ["-v"])
    let denial = try refused.refuse()
    _ = try await OwnThread.run { try refused.browser.follow(denial) }
    output += both(await refused.program.end())

    let login = try await PendingLogin(fixture.home, ["-v"], input: .open)
    let callback = try login.grant()
    let verifier = try #require(callback.query["oauth_verifier"])
    secrets.append(verifier)
    login.program.type("http://127.0.0.1/callback?oauth_token=other&oauth_verifier=\(verifier)\n")
    _ = await login.program.line(containing: "another login", on: .error)
    _ = try login.browser.get(LocalURL(callback, target: "/callback?oauth_verifier=\(verifier)"))
    _ = try login.browser.get(LocalURL(callback, target: "/favicon.ico"), fields: ["Referer: \(callback)"])
    let page = try await OwnThread.run { try login.browser.follow(callback) }
    output += page.text
    let outcome = await login.program.end()
    #expect(outcome.code == 0, "\(outcome.error)")
    output += both(outcome)
    let token = try JSONValue(file: fixture.home.token(of: "demo"))
    secrets += [try #require(token["secret"].text), try #require(token["token"].text)]

    // It also includes successful and failing requests, and control requests of every kind.
    for fault in [
      SandboxFault.error(503, code: 130, "over"), .named(.tokenRevoked), .named(.captivePortal), .drop(worked: true),
    ] {
      fixture.sandbox.withFaults { $0.add(fault, to: .homeTimeline) }
      output += try await daemon.request("refresh")
      output += "\(try await daemon.status())"
      output += try fixture.home.read(fixture.home.timeline(of: "demo"))
    }
    try fixture.configure([("demo", fixture.account(Self.members, secret: "not-the-secret"))])
    output += try await daemon.request("reload")
    output += try await daemon.request("refresh")
    output += try await daemon.request("login", #"{"account":"demo"}"#)
    try fixture.home.configure("{ \"consumer_secret\": \"not-the-secret\"")
    output += try await daemon.request("reload")
    output += "\(try await daemon.status())"
    try fixture.configure(["demo"], Self.members)
    output += try await daemon.request("reload")
    output += try await daemon.request("refresh")
    output += try fixture.home.read(fixture.home.timeline(of: "demo"))
    for command in [["status", "--json"], ["refresh", "-v"], ["show"], ["logout", "demo", "-v"], ["refresh", "-v"]] {
      output += both(try await fixture.home.start(command).end())
    }
    let (ended, _) = await daemon.stop()
    #expect(ended.code == 0)
    output += both(ended)
    #expect(ended.error.contains("GET ") && ended.error.contains("POST "), "-v must log each request")
    // A signature works only once, but should not be logged either.
    for word in secrets + ["oauth_signature", "oauth_verifier"] {
      #expect(!output.contains(word), "\(output.split(separator: "\n").filter { $0.contains(word) })")
    }
    for request in [login.token, refused.token] {
      // The request token appears only in the authorisation address shown to the user.
      let lines = output.split(separator: "\n").filter { $0.contains(request) }
      #expect(lines.allSatisfy { $0.hasPrefix(fixture.sandbox.address(of: .authorize)) }, "\(lines)")
      #expect(!ended.error.contains(request))
    }
    // The logout has deleted the token. Of the other files, only the user's configuration contains a secret.
    let patterns = secrets.filter { $0 != "not-the-secret" }.map { "-e '\($0)'" }.joined(separator: " ")
    let found = try await fixture.home.shell(
      "grep -rlaF \(patterns) '\(fixture.home.path)' --exclude-dir=config --exclude-dir=provider")
    #expect(found.output == "")
  }

  private func both(_ outcome: ProgramRun.Outcome) -> String { outcome.output + outcome.error }
}
