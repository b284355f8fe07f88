import Glibc
import Platform
import TestSupport
import Testing

/// Renews an account's token again and again while responses get lost and processes are killed, and checks the state
/// after each renewal.
///
/// Each token expires at once, so that every `homeline refresh` and `homeline token` renews it.
struct TokenFire {
  /// Counts for the test's output.
  struct Tally {
    var renewed = 0
    var killed = 0
    /// Kills between writing the new token and renaming it into place.
    var killedBeside = 0
    var lostAnswers = 0
    /// Failed renewals that kept the token.
    var kept = 0
    /// Authorisations that ended because a response got lost, or because a killed process had not stored it.
    var endedByLoss = 0
    var endedByKill = 0
    /// Kills in the middle of a write.
    var torn = 0
  }

  /// Whether the server has a grace period for used refresh tokens, in case its response got lost.
  let isForgiving: Bool
  let home: OAuth2Home
  private(set) var tally = Tally()
  private var generator: SeededGenerator
  private let lossPercent: Int
  /// All refresh tokens that were on disk, and the current one.
  private var known: Set<String> = []
  private var newest = ""
  /// The server's counts when the current token appeared, and what has happened since.
  private var rotationsThen = 0
  private var answersLostThen = 0
  private var wasKilledSince = false
  /// The server's number of lost responses at the last check.
  private var answersLost = 0
  /// The number of uses of replaced refresh tokens.
  private var reuses = 0
  /// The number of renewal requests.
  private var asked = 0

  init(isForgiving: Bool, lossPercent: Int, seed: UInt64) async throws {
    self.isForgiving = isForgiving
    self.lossPercent = lossPercent
    generator = SeededGenerator(seed: seed)
    let server = try await OAuth2PeerServer(
      ["--alter", #"{"expires_in": 0}"#, "--fault-seconds", "0.15", "--grace", isForgiving ? "60" : "0"])
    home = try OAuth2Home(server)
    try await authorise()
  }

  /// Renews once under a random scenario and checks the result.
  mutating func renew(_ number: Int, longest: UInt32) async throws {
    let plan = FirePlan(lossPercent: lossPercent, longest: longest, using: &generator)
    let place: Comment = "renewal \(number): \(plan)"
    try await home.server.control(plan.orders)
    let before = newest
    let lostBefore = answersLost
    let run = try home.start([plan.command, "key"])
    try await plan.execute(run, log: home.server.logFile)
    let outcome = await run.end()
    let counts = try await settledCounts()
    let lostNow = counts["refreshes_lost"].integer ?? 0
    tally.lostAnswers += lostNow - lostBefore
    answersLost = lostNow
    let reused = ["grace_used", "reuse_detected"].map { counts[$0].integer ?? 0 }.reduce(0, +)
    if reused > reuses {
      #expect(
        lostNow > answersLostThen || wasKilledSince,
        "\(place): a used token was sent again although its response was not lost")
    }
    reuses = reused
    let askedNow = counts["refreshes_asked"].integer ?? 0
    // A request of a killed process may reach the server later.
    if outcome.code == 0, lostNow == lostBefore, !wasKilledSince {
      #expect(askedNow == asked + 1, "\(place): \(outcome.error)")
    }
    asked = askedNow
    wasKilledSince = wasKilledSince || outcome.code == 128 + SIGKILL

    let disk = try TokenOnDisk(of: home)
    let status = try await home.status()
    if disk.isTorn {
      // Cut off in the middle of writing: the previous token is used up, and the next process sets both files aside.
      #expect(wasKilledSince, place)
      tally.torn += 1
      return try await authorise()
    }
    #expect(status["authorised"] != .null, place)
    let token = try #require(disk.refreshToken, place)
    if token != newest {
      #expect(known.insert(token).inserted, "\(place): a used token is on disk again")
      appeared(token, counts)
    }
    if disk.isBesideItsPlace { tally.killedBeside += 1 }
    // Whatever happened to the process, a printed token must have been stored before.
    if plan.command == "token", !outcome.output.isEmpty {
      #expect(
        disk.accessToken.map { "\($0)\n" } == outcome.output,
        "\(place): a token was printed before it was stored; \(disk), \(outcome), \(counts)")
    }

    let error = status["error"]
    switch outcome.code {
    case 128 + SIGKILL: tally.killed += 1
    case 0:
      tally.renewed += 1
      #expect(token != before, "\(place): the token was not renewed")
      #expect(!disk.isBesideItsPlace, place)
      #expect(error == .null, place)
    case 69:
      tally.kept += 1
      #expect(lostNow > lostBefore, "\(place): \(outcome.error)")
      #expect(token == before, place)
      #expect(["network", "provider"].contains(error["code"].text), place)
    case 77:
      #expect(error["code"].text == "not-authorised", place)
      #expect(error["message"].text?.contains("homeline login key") == true, place)
      try checkEnd(counts, "\(place): \(outcome.error)")
      try await authorise()
    default: Issue.record("\(place): exited with \(outcome.code): \(outcome.error)")
    }
  }

  /// Renews without a fault, which must succeed unless the previous token was already lost.
  mutating func renewUnharmed() async throws {
    try await home.server.control(#"{"fault_next": 0}"#)
    let outcome = try await home.homeline("refresh", "key")
    let counts = try await settledCounts()
    if outcome.code == 77 {
      try checkEnd(counts, "an undisturbed renewal: \(outcome.error)")
      return try await authorise()
    }
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try await home.status()["error"] == .null)
    let token = try #require(try TokenOnDisk(of: home).refreshToken)
    #expect(known.insert(token).inserted, "a used token is on disk again")
    appeared(token, counts)
  }

  /// An authorisation may end only if the server has used up the token on disk and its response was never stored.
  private mutating func checkEnd(_ counts: JSONValue, _ place: Comment) throws {
    #expect(!isForgiving, place)
    let rotations = (counts["rotations"].integer ?? 0) - rotationsThen
    #expect(rotations > 0, "\(place): the token on disk was valid, but another one was used")
    let wasLost = (counts["refreshes_lost"].integer ?? 0) > answersLostThen
    #expect(wasLost || wasKilledSince, "\(place): no response was lost and no process was killed")
    if wasLost { tally.endedByLoss += 1 } else { tally.endedByKill += 1 }
  }

  /// Logs in without a fault.
  private mutating func authorise() async throws {
    try await home.server.control(#"{"fault_next": 0}"#)
    try await home.logIn()
    let token = try #require(try TokenOnDisk(of: home).refreshToken)
    known.insert(token)
    appeared(token, try await settledCounts())
  }

  private mutating func appeared(_ token: String, _ counts: JSONValue) {
    newest = token
    rotationsThen = counts["rotations"].integer ?? 0
    answersLostThen = counts["refreshes_lost"].integer ?? 0
    wasKilledSince = false
    asked = counts["refreshes_asked"].integer ?? 0
  }

  /// The server's counts once all requests have completed, including those of killed processes.
  private func settledCounts() async throws -> JSONValue {
    var counts = JSONValue.null
    let areComplete = try await eventually(every: .milliseconds(5)) {
      counts = try await home.server.counts()
      let ends = ["answered", "refused", "failed", "lost"].map { counts["refreshes_\($0)"].integer ?? 0 }
      return ends.reduce(0, +) == counts["refreshes_asked"].integer ?? 0
    }
    try #require(areComplete, "the server has requests that do not complete: \(counts)")
    return counts
  }
}
