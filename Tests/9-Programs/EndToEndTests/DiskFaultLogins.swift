import Glibc
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// First logins of an account, each into empty folders and with a different failing disk call.
struct DiskFaultLogins {
  private let fixture: TwitterFixture
  private let plan: DiskFaultPlan
  private let files: IntegrityCheck
  private(set) var rounds = DiskFaultRounds()

  private static let posts = 5

  init() throws {
    fixture = try TwitterFixture(
      #""refresh_seconds": 86400, "keep_posts": \#(Self.posts), "first_fill_posts": \#(Self.posts)"#)
    plan = try DiskFaultPlan(below: fixture.home.path)
    files = IntegrityCheck(home: fixture.home)
  }

  /// Returns the number of file-changing calls of a login.
  func count() async throws -> Int {
    try plan.set(nil)
    let outcome = try await logIn(plan.variables)
    #expect(outcome.code == 0, "\(outcome.error)")
    return try plan.outcome.calls
  }

  /// Logs in while the call fails, and then refreshes with the issued token or logs in again.
  mutating func logIn(_ fault: DiskFault) async throws {
    _ = try await fixture.home.shell("cd '\(fixture.home.path)' && rm -rf state data cache run")
    try plan.set(fault)
    let given = fixture.count(of: .accessToken)
    let outcome = try await logIn(plan.variables)
    let isGiven = fixture.count(of: .accessToken) > given
    let faults = try plan.outcome
    rounds.note(outcome, faults)
    let context: Comment = "\(fault) (\(faults.name)): \(outcome.code) \(outcome.error)"
    #expect([0, 73, 74].contains(outcome.code), context)
    if outcome.code != 0 {
      #expect(outcome.error.contains(fixture.home.path), "\(context): the error does not name the path")
    }
    let token = fixture.home.token(of: "demo")
    let isKept = File.exists(token)
    if isKept { #expect(try JSONValue(file: token)["secret"].text?.isEmpty == false, context) }
    // A lasting failure can lose the token; any other failure must not lose an issued token.
    if isGiven, fault.extent != .lasting { #expect(isKept, "\(context): the token is lost") }
    if outcome.code == 0 { #expect(isKept, context) }
    #expect(try await files.damagedPublications() == [], context)
    #expect(try await files.damagedDatabases() == [], context)

    let next = isKept ? try await fixture.home.run("refresh") : try await logIn([:])
    #expect(next.code == 0, "\(context), then \(next.code) \(next.error)")
    let published = try JSONValue(file: fixture.home.timeline(of: "demo"))
    #expect(published["posts"].items.count == Self.posts && published["error"] == .null, context)
    #expect(published["user"]["screen_name"].text == SandboxUser.screenName, context)
    #expect(try files.leftovers() == [], context)
  }

  /// Acts as the browser of a login, as far as the program gets.
  private func logIn(_ variables: [String: String]) async throws -> ProgramRun.Outcome {
    let program = try fixture.home.start(["login", "--no-browser"], variables)
    if let line = await program.line(containing: "oauth_token=") {
      let address = try LocalURL(line)
      // The failure may have made the program exit.
      _ = try? await OwnThread.run {
        let browser = ScriptedBrowser()
        return try browser.follow(browser.grant(at: address))
      }
    }
    return await program.end()
  }
}
