import Glibc
import Platform
import TestSupport
import Testing

/// Renewals of a token while the disk fails at one call after another. The server treats a second use of a refresh
/// token as theft.
struct FaultedRenewals {
  private let home: OAuth2Home
  private let plan: FaultPlan
  private(set) var rounds = FaultRounds()
  private(set) var lost = 0
  /// The refresh token for the next renewal.
  private var newest = ""

  init() async throws {
    let server = try await OAuth2PeerServer(["--alter", #"{"expires_in": 0}"#, "--grace", "0"])
    home = try OAuth2Home(server)
    plan = try FaultPlan(below: home.folder.path)
    try await authorise()
  }

  private mutating func authorise() async throws {
    try await home.logIn()
    newest = try #require(try TokenOnDisk(of: home).refreshToken)
  }

  /// The number of file-changing calls of a renewal.
  mutating func count() async throws -> Int {
    try plan.set(nil)
    let outcome = try await run("refresh", plan.variables)
    #expect(outcome.code == 0, "\(outcome.error)")
    newest = try #require(try TokenOnDisk(of: home).refreshToken)
    return try plan.outcome.calls
  }

  /// Leaves the files as after a process was killed between writing a new token and renaming it into place.
  mutating func leaveUnfinished() async throws {
    let former = try File.read(home.tokenFile, limit: 1 << 16)
    let outcome = try await run("refresh", [:])
    #expect(outcome.code == 0, "\(outcome.error)")
    try AtomicFile.write(File.read(home.tokenFile, limit: 1 << 16), to: home.renewalFile, .replaced)
    try AtomicFile.write(former, to: home.tokenFile, .replaced)
    newest = try #require(try TokenOnDisk(of: home).refreshToken)
  }

  /// Renews once with the fault and once without.
  mutating func renew(_ fault: DiskFault) async throws {
    // `refresh` reports the outcome, and `token` prints the new token.
    let command = fault.number.isMultiple(of: 2) ? "refresh" : "token"
    try plan.set(fault)
    let rotations = try await home.server.count("rotations")
    let outcome = try await run(command, plan.variables)
    let given = try await home.server.count("rotations") - rotations
    let what = try plan.outcome
    rounds.note(outcome, what)
    let place: Comment = "\(command), \(fault) (\(what.name)): \(outcome.code) \(outcome.error)"
    #expect([0, 73, 74].contains(outcome.code), place)
    if outcome.code != 0 {
      #expect(outcome.error.contains(home.folder.path), "\(place): the error does not name the path")
    }
    #expect(given <= 1, place)

    let disk = try TokenOnDisk(of: home)
    let isLost = given == 1 && disk.refreshToken == newest || disk.isTorn
    if isLost {
      // Only a disk that accepts nothing from the response on may lose it, with an error.
      #expect(fault.extent == .lasting && outcome.code == 74, "\(place): the new token is lost")
      #expect(outcome.error.contains("could not be written down and is lost"), place)
      lost += 1
    } else {
      #expect((disk.refreshToken != newest) == (given == 1), place)
    }
    if !outcome.output.isEmpty, command == "token" {
      #expect(disk.accessToken.map { "\($0)\n" } == outcome.output, "\(place): a token was printed but not stored")
    }

    let next = try await run("refresh", [:])
    if isLost {
      #expect(next.code == 77 && next.error.contains("homeline login key"), "\(place), then \(next.code) \(next.error)")
      return try await authorise()
    }
    #expect(next.code == 0, "\(place), then \(next.code) \(next.error)")
    newest = try #require(try TokenOnDisk(of: home).refreshToken)
    #expect(!File.exists(home.renewalFile), place)
    for name in ["families_killed", "reuse_detected"] where lost == 0 {
      #expect(try await home.server.count(name) == 0, "\(place): \(name)")
    }
  }

  private func run(_ command: String, _ variables: [String: String]) async throws -> ProgramRun.Outcome {
    let environment = ProgramRun.environment(home: home.folder.path, variables)
    return try await ProgramRun.run(ProgramRun.product("homeline"), [command, "key"], environment: environment)
  }
}
