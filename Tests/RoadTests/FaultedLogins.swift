import Glibc
import Platform
import Sandbox
import TestSupport
import Testing

/// First logins of an account into new folders, while the disk fails at one call after another.
struct FaultedLogins {
  private let served: ServedHome
  private let plan: FaultPlan
  private let files: FilesOnDisk
  private(set) var rounds = FaultRounds()

  private static let posts = 5

  init() throws {
    served = try ServedHome(
      #""refresh_seconds": 86400, "keep_posts": \#(Self.posts), "first_fill_posts": \#(Self.posts)"#)
    plan = try FaultPlan(below: served.home.path)
    files = FilesOnDisk(home: served.home)
  }

  /// The number of file-changing calls of a login.
  func count() async throws -> Int {
    try plan.set(nil)
    let outcome = try await logIn(plan.variables)
    #expect(outcome.code == 0, "\(outcome.error)")
    return try plan.outcome.calls
  }

  /// Logs in once with the fault, then refreshes with the issued token or logs in again.
  mutating func logIn(_ fault: DiskFault) async throws {
    _ = try await served.home.shell("cd '\(served.home.path)' && rm -rf state data cache run")
    try plan.set(fault)
    let given = served.count(of: .accessToken)
    let outcome = try await logIn(plan.variables)
    let isGiven = served.count(of: .accessToken) > given
    let what = try plan.outcome
    rounds.note(outcome, what)
    let place: Comment = "\(fault) (\(what.name)): \(outcome.code) \(outcome.error)"
    #expect([0, 73, 74].contains(outcome.code), place)
    if outcome.code != 0 {
      #expect(outcome.error.contains(served.home.path), "\(place): the error does not name the path")
    }
    let token = served.token(of: "demo")
    let isKept = File.exists(token)
    if isKept { #expect(try JSONValue(file: token)["secret"].text?.isEmpty == false, place) }
    // A lasting failure can lose the token; any other failure must not lose an issued token.
    if isGiven, fault.extent != .lasting { #expect(isKept, "\(place): the token is lost") }
    if outcome.code == 0 { #expect(isKept, place) }
    #expect(try await files.spoiltPublications() == [], place)
    #expect(try await files.damagedDatabases() == [], place)

    let next = isKept ? try await served.home.run("refresh") : try await logIn([:])
    #expect(next.code == 0, "\(place), then \(next.code) \(next.error)")
    let published = try JSONValue(file: served.timeline(of: "demo"))
    #expect(published["posts"].items.count == Self.posts && published["error"] == .null, place)
    #expect(published["user"]["screen_name"].text == SandboxProvider.userScreenName, place)
    #expect(try files.leftovers() == [], place)
  }

  /// Logs in with the test as the browser, as far as the program gets.
  private func logIn(_ variables: [String: String]) async throws -> ProgramRun.Outcome {
    let program = try served.home.start(["login", "--no-browser"], variables)
    if let line = await program.line(containing: "oauth_token=") {
      let address = try PlainAddress(line)
      // The program may end meanwhile.
      _ = try? await PlainBrowser.onThreadOfItsOwn {
        let browser = PlainBrowser()
        return try browser.follow(browser.grant(at: address))
      }
    }
    return await program.end()
  }
}
