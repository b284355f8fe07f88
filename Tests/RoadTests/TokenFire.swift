import Glibc
import Platform
import TestSupport
import Testing

/// One account whose token is renewed again and again while answers are lost and the process is killed, and what has to hold after
/// each renewal.
///
/// Each answer says that its token ends at once, so that each `homeline refresh` and `homeline token` renews.
struct TokenFire {
  /// What has happened, for whoever reads the test's output.
  struct Tally {
    var renewed = 0
    var killed = 0
    /// Kills between the writing of the new token and its being in place.
    var killedBeside = 0
    var lostAnswers = 0
    /// Renewals that did not come about, and kept the token.
    var kept = 0
    /// Losses of the account behind an answer that the network lost, and behind one that a killed process had not written down.
    var endedByLoss = 0
    var endedByKill = 0
    /// Kills in the very middle of a write.
    var torn = 0
  }

  /// Whether the server forgives that a refresh token is used again, because its answer may have been lost.
  let isForgiving: Bool
  let home: OAuth2Home
  private(set) var tally = Tally()
  private var generator: SeededGenerator
  private let lossPercent: Int
  /// All refresh tokens that the disk has had, and the one that it has now.
  private var known: Set<String> = []
  private var newest = ""
  /// The server's rotations when the newest one appeared, and what has happened since.
  private var rotationsThen = 0
  private var answersLostThen = 0
  private var wasKilledSince = false
  /// How many answers the server had lost when it was looked at last.
  private var answersLost = 0
  /// How often the server has seen a refresh token that it had replaced.
  private var reuses = 0
  /// How often the server was asked for a new token.
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

  /// Renews once, whatever befalls it, and checks what is left.
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
      #expect(lostNow > answersLostThen || wasKilledSince, "\(place): a token was used again whose answer was not lost")
    }
    reuses = reused
    let askedNow = counts["refreshes_asked"].integer ?? 0
    // What a process has asked that was killed may come to the server later.
    if outcome.code == 0, lostNow == lostBefore, !wasKilledSince {
      #expect(askedNow == asked + 1, "\(place): \(outcome.error)")
    }
    asked = askedNow
    wasKilledSince = wasKilledSince || outcome.code == 128 + SIGKILL

    let disk = try TokenOnDisk(of: home)
    let status = try await home.status()
    if disk.isTorn {
      // Cut off in the very middle of writing: the one before is used up, and the next process sets both aside.
      #expect(wasKilledSince, place)
      tally.torn += 1
      return try await authorise()
    }
    #expect(status["authorised"] != .null, place)
    let token = try #require(disk.refreshToken, place)
    if token != newest {
      #expect(known.insert(token).inserted, "\(place): a token that was used up lies on the disk again")
      appeared(token, counts)
    }
    if disk.isBesideItsPlace { tally.killedBeside += 1 }
    // Whatever became of the process then: what it gave away, it had written down before.
    if plan.command == "token", !outcome.output.isEmpty {
      #expect(
        disk.accessToken.map { "\($0)\n" } == outcome.output,
        "\(place): a token was handed out before it was kept; \(disk), \(outcome), \(counts)")
    }

    let error = status["error"]
    switch outcome.code {
    case 128 + SIGKILL: tally.killed += 1
    case 0:
      tally.renewed += 1
      #expect(token != before, "\(place): nothing was renewed")
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
    default: Issue.record("\(place): ended with \(outcome.code): \(outcome.error)")
    }
  }

  /// Renews with nothing going wrong, which has to bring a token unless the one before was lost already.
  mutating func renewUnharmed() async throws {
    try await home.server.control(#"{"fault_next": 0}"#)
    let outcome = try await home.homeline("refresh", "key")
    let counts = try await settledCounts()
    if outcome.code == 77 {
      try checkEnd(counts, "an unharmed renewal: \(outcome.error)")
      return try await authorise()
    }
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try await home.status()["error"] == .null)
    let token = try #require(try TokenOnDisk(of: home).refreshToken)
    #expect(known.insert(token).inserted, "a token that was used up lies on the disk again")
    appeared(token, counts)
  }

  /// An account may be lost only where the server has used up the token on the disk, and its answer did not come to be written.
  private mutating func checkEnd(_ counts: JSONValue, _ place: Comment) throws {
    #expect(!isForgiving, place)
    let rotations = (counts["rotations"].integer ?? 0) - rotationsThen
    #expect(rotations > 0, "\(place): the token on the disk was good, and another one was used")
    let wasLost = (counts["refreshes_lost"].integer ?? 0) > answersLostThen
    #expect(wasLost || wasKilledSince, "\(place): nothing was lost and nobody was killed")
    if wasLost { tally.endedByLoss += 1 } else { tally.endedByKill += 1 }
  }

  /// Logs in, with nothing going wrong.
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

  /// The server's counts once it has ended what it was asked, also by processes that are no more.
  private func settledCounts() async throws -> JSONValue {
    for _ in 0..<2000 {
      let counts = try await home.server.counts()
      let ends = ["answered", "refused", "failed", "lost"].map { counts["refreshes_\($0)"].integer ?? 0 }
      if ends.reduce(0, +) == counts["refreshes_asked"].integer ?? 0 { return counts }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw TestClient.Failure(
      description: "the server does not end what it was asked: \(try await home.server.counts())")
  }
}
