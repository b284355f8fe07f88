import Glibc
import Platform
import TestSupport
import Testing

/// Renewals of a token, each with a different failing disk call. The server treats a second use of a refresh token as
/// theft.
struct DiskFaultRenewals {
  private let fixture: OAuth2PeerFixture
  private let plan: DiskFaultPlan
  private(set) var rounds = DiskFaultRounds()
  private(set) var lost = 0
  /// The refresh token for the next renewal.
  private var newest = ""

  init() async throws {
    let server = try await OAuth2PeerServer(["--alter", #"{"expires_in": 0}"#, "--grace", "0"])
    fixture = try OAuth2PeerFixture(server)
    plan = try DiskFaultPlan(below: fixture.home.path)
    try await authorise()
  }

  private mutating func authorise() async throws {
    try await fixture.logIn()
    newest = try #require(try TokenFiles(of: fixture).refreshToken)
  }

  /// Returns the number of file-changing calls of a renewal.
  mutating func count() async throws -> Int {
    try plan.set(nil)
    let outcome = try await run("refresh", plan.variables)
    #expect(outcome.code == 0, "\(outcome.error)")
    newest = try #require(try TokenFiles(of: fixture).refreshToken)
    return try plan.outcome.calls
  }

  /// Leaves the files as if the process had been killed between writing a new token and renaming its file.
  mutating func leaveUnfinished() async throws {
    let former = try File.read(fixture.tokenFile, limit: 1 << 16)
    let outcome = try await run("refresh", [:])
    #expect(outcome.code == 0, "\(outcome.error)")
    try AtomicFile.write(File.read(fixture.tokenFile, limit: 1 << 16), to: fixture.renewalFile, .replaced)
    try AtomicFile.write(former, to: fixture.tokenFile, .replaced)
    newest = try #require(try TokenFiles(of: fixture).refreshToken)
  }

  /// Renews the token while the call fails, and then again without a failure.
  mutating func renew(_ fault: DiskFault) async throws {
    // `refresh` reports the outcome, and `token` prints the new token.
    let command = fault.number.isMultiple(of: 2) ? "refresh" : "token"
    try plan.set(fault)
    let rotations = try await fixture.server.count("rotations")
    let outcome = try await run(command, plan.variables)
    let given = try await fixture.server.count("rotations") - rotations
    let faults = try plan.outcome
    rounds.note(outcome, faults)
    let context: Comment = "\(command), \(fault) (\(faults.name)): \(outcome.code) \(outcome.error)"
    #expect([0, 73, 74].contains(outcome.code), context)
    if outcome.code != 0 {
      #expect(outcome.error.contains(fixture.home.path), "\(context): the error does not name the path")
    }
    #expect(given <= 1, context)

    let disk = try TokenFiles(of: fixture)
    let isLost = given == 1 && disk.refreshToken == newest || disk.isIncomplete
    if isLost {
      // The new token may be lost only if the disk accepts no byte of the response. The command must then report an
      // error.
      #expect(fault.extent == .lasting && outcome.code == 74, "\(context): the new token is lost")
      #expect(outcome.error.contains("could not be stored and is lost"), context)
      lost += 1
    } else {
      #expect((disk.refreshToken != newest) == (given == 1), context)
    }
    if !outcome.output.isEmpty, command == "token" {
      #expect(disk.accessToken.map { "\($0)\n" } == outcome.output, "\(context): a token was printed but not stored")
    }

    let next = try await run("refresh", [:])
    if isLost {
      #expect(
        next.code == 77 && next.error.contains("homeline login key"), "\(context), then \(next.code) \(next.error)")
      return try await authorise()
    }
    #expect(next.code == 0, "\(context), then \(next.code) \(next.error)")
    newest = try #require(try TokenFiles(of: fixture).refreshToken)
    #expect(!File.exists(fixture.renewalFile), context)
    for name in ["families_killed", "reuse_detected"] where lost == 0 {
      #expect(try await fixture.server.count(name) == 0, "\(context): \(name)")
    }
  }

  private func run(_ command: String, _ variables: [String: String]) async throws -> ProgramRun.Outcome {
    try await fixture.home.start([command, "key"], variables).end()
  }
}
