import Glibc
import Platform
import TestSupport
import Testing

/// Renews an account's token again and again while responses are lost and processes are killed, and checks the state after each renewal.
///
/// Each token expires immediately, so that every `homeline refresh` and `homeline token` renews it.
struct RenewalStress {
  /// Counts for the test's output.
  struct Tally {
    var renewed = 0
    var killed = 0
    /// The number of kills between writing the new token and renaming its file.
    var killedBeforeRename = 0
    var lostResponses = 0
    /// The number of renewals that failed without losing the token.
    var kept = 0
    /// The number of authorisations that ended because a response was lost, or because a process was killed before it stored it.
    var endedByLoss = 0
    var endedByKill = 0
    /// The number of kills in the middle of a write.
    var killedWhileWriting = 0
  }

  /// Whether the server accepts used refresh tokens for a grace period, in case its response is lost.
  let isForgiving: Bool
  let fixture: OAuth2PeerFixture
  private(set) var tally = Tally()
  private var generator: SeededGenerator
  private let lossPercent: Int
  /// All refresh tokens that have been on disk. `newest` is the current one.
  private var known: Set<String> = []
  private var newest = ""
  /// The server's count of lost responses when the current token appeared, and whether a process has been killed since.
  private var lostResponsesThen = 0
  private var wasKilledSince = false
  /// The server's number of lost responses at the last check.
  private var lostResponses = 0
  /// How often a replaced refresh token was used.
  private var reuses = 0
  /// The number of renewal requests.
  private var requestCount = 0

  init(isForgiving: Bool, lossPercent: Int, seed: UInt64) async throws {
    self.isForgiving = isForgiving
    self.lossPercent = lossPercent
    generator = SeededGenerator(seed: seed)
    let server = try await OAuth2PeerServer(
      ["--alter", #"{"expires_in": 0}"#, "--fault-seconds", "0.15", "--grace", isForgiving ? "60" : "0"])
    fixture = try OAuth2PeerFixture(server)
    try await authorise()
  }

  /// Renews the token once under a random scenario and checks the result.
  mutating func renew(_ number: Int, longest: UInt32) async throws {
    let scenario = RenewalScenario(lossPercent: lossPercent, longest: longest, using: &generator)
    let context: Comment = "renewal \(number): \(scenario)"
    try await fixture.server.control(scenario.orders)
    let before = newest
    let lostBefore = lostResponses
    let run = try fixture.home.start([scenario.command, "key"])
    try await scenario.execute(run, log: fixture.server.logFile)
    let outcome = await run.end()
    let counts = try await settledCounts()
    let lostNow = counts["refreshes_lost"].integer ?? 0
    tally.lostResponses += lostNow - lostBefore
    lostResponses = lostNow
    let reused = ["grace_used", "reuse_detected"].map { counts[$0].integer ?? 0 }.reduce(0, +)
    if reused > reuses {
      #expect(
        lostNow > lostResponsesThen || wasKilledSince,
        "\(context): a used token was sent again although its response was not lost")
    }
    reuses = reused
    let requestsNow = counts["refreshes_asked"].integer ?? 0
    // The request of a killed process may reach the server later.
    if outcome.code == 0, lostNow == lostBefore, !wasKilledSince {
      #expect(requestsNow == requestCount + 1, "\(context): \(outcome.error)")
    }
    requestCount = requestsNow
    wasKilledSince = wasKilledSince || outcome.code == 128 + SIGKILL

    let disk = try TokenFiles(of: fixture)
    let status = try await fixture.status()
    if disk.isIncomplete {
      // The write was interrupted. The previous token has been used, and the next process sets both files aside.
      #expect(wasKilledSince, context)
      tally.killedWhileWriting += 1
      return try await authorise()
    }
    #expect(status["authorised"] != .null, context)
    let token = try #require(disk.refreshToken, context)
    if token != newest {
      #expect(known.insert(token).inserted, "\(context): a used token is on disk again")
      noteNewToken(token, counts)
      // After the repetition of an earlier process's renewal, a process renews once more, and may have been killed during that.
      wasKilledSince = outcome.code == 128 + SIGKILL
    }
    if disk.isInTemporaryFile { tally.killedBeforeRename += 1 }
    // Whatever happened to the process, it must not have printed a token before storing it.
    if scenario.command == "token", !outcome.output.isEmpty {
      #expect(
        disk.accessToken.map { "\($0)\n" } == outcome.output,
        "\(context): a token was printed before it was stored; \(disk), \(outcome), \(counts)")
    }

    let error = status["error"]
    switch outcome.code {
    case 128 + SIGKILL: tally.killed += 1
    case 0:
      tally.renewed += 1
      #expect(token != before, "\(context): the token was not renewed")
      #expect(!disk.isInTemporaryFile, context)
      #expect(error == .null, context)
    case 69:
      tally.kept += 1
      #expect(lostNow > lostBefore, "\(context): \(outcome.error)")
      #expect(token == before, context)
      #expect(["network", "provider"].contains(error["code"].text), context)
    case 77:
      #expect(error["code"].text == "not-authorised", context)
      #expect(error["message"].text?.contains("homeline login key") == true, context)
      try await checkEnd(counts, "\(context): \(outcome.error)")
      try await authorise()
    default: Issue.record("\(context): exited with \(outcome.code): \(outcome.error)")
    }
  }

  /// Renews the token without a fault, which must succeed unless the previous token was already lost.
  mutating func renewUndisturbed() async throws {
    try await fixture.server.control(#"{"fault_next": 0}"#)
    let outcome = try await fixture.home.run("refresh", "key")
    let counts = try await settledCounts()
    if outcome.code == 77 {
      try await checkEnd(counts, "an undisturbed renewal: \(outcome.error)")
      return try await authorise()
    }
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try await fixture.status()["error"] == .null)
    let token = try #require(try TokenFiles(of: fixture).refreshToken)
    #expect(known.insert(token).inserted, "a used token is on disk again")
    noteNewToken(token, counts)
  }

  /// Checks that an authorisation ended only because the server had replaced the token on disk and its response was never stored.
  private mutating func checkEnd(_ counts: JSONValue, _ context: Comment) async throws {
    #expect(!isForgiving, context)
    // The process that stored this token may have renewed it once more before it was killed, so counting renewals would not do.
    #expect(
      try await fixture.server.replacedRefreshTokens().contains(newest),
      "\(context): the token on disk was valid, but another token was used")
    let wasLost = (counts["refreshes_lost"].integer ?? 0) > lostResponsesThen
    #expect(wasLost || wasKilledSince, "\(context): no response was lost and no process was killed")
    if wasLost { tally.endedByLoss += 1 } else { tally.endedByKill += 1 }
  }

  /// Logs in without a fault.
  private mutating func authorise() async throws {
    try await fixture.server.control(#"{"fault_next": 0}"#)
    try await fixture.logIn()
    let token = try #require(try TokenFiles(of: fixture).refreshToken)
    known.insert(token)
    noteNewToken(token, try await settledCounts())
  }

  private mutating func noteNewToken(_ token: String, _ counts: JSONValue) {
    newest = token
    lostResponsesThen = counts["refreshes_lost"].integer ?? 0
    wasKilledSince = false
    requestCount = counts["refreshes_asked"].integer ?? 0
  }

  /// Returns the server's counts once all requests have completed, even those of killed processes.
  private func settledCounts() async throws -> JSONValue {
    var counts = JSONValue.null
    let areComplete = try await eventually(every: .milliseconds(5)) {
      counts = try await fixture.server.counts()
      let ends = ["answered", "refused", "failed", "lost"].map { counts["refreshes_\($0)"].integer ?? 0 }
      return ends.reduce(0, +) == counts["refreshes_asked"].integer ?? 0
    }
    try #require(areComplete, "the server has requests that do not complete: \(counts)")
    return counts
  }
}

/// The events that affect one renewal.
struct RenewalScenario: CustomStringConvertible {
  /// How the network damages the server's responses.
  enum Loss: String, CaseIterable {
    /// The server has renewed the token, but no byte of the response arrives.
    case drop
    /// Half of the JSON arrives.
    case half
    /// The response arrives complete, but late.
    case late
  }

  /// The moment when the process is killed.
  enum End {
    /// This long after the process starts.
    case afterStart(microseconds: UInt32)
    /// This long after the server has rotated the token and is about to respond.
    case afterResponse(microseconds: UInt32)
  }

  /// The command that renews the token: `refresh`, or `token`, which prints the new token.
  let command: String
  var loss: Loss?
  /// How many responses in a row are lost.
  var lossCount = 0
  var end: End?

  /// - Parameters:
  ///   - lossPercent: the percentage of renewals whose response is lost.
  ///   - longest: the duration of an undisturbed renewal, in microseconds.
  init(lossPercent: Int, longest: UInt32, using generator: inout SeededGenerator) {
    command = Bool.random(using: &generator) ? "refresh" : "token"
    if Int.random(in: 0..<100, using: &generator) < lossPercent {
      loss = Loss.allCases.randomElement(using: &generator)
      lossCount = Int.random(in: 1...2, using: &generator)
    }
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: end = .afterStart(microseconds: .random(in: 0...longest, using: &generator))
    // Receiving, writing, syncing and renaming take some milliseconds in total.
    case 1: end = .afterResponse(microseconds: .random(in: 0...10_000, using: &generator))
    default: break
    }
  }

  /// The server's options for its next responses.
  var orders: String { #"{"fault": "\#((loss ?? .drop).rawValue)", "fault_next": \#(lossCount)}"# }

  var description: String {
    "\(command), \(loss.map { "\($0.rawValue) \(lossCount)x" } ?? "no loss"), \(end.map { "killed \($0)" } ?? "not killed")"
  }

  /// Kills a program as planned, unless it has already exited.
  func execute(_ program: ProgramRun, log: String) async throws {
    guard let end else { return }
    let size = Self.size(of: log)
    try await OwnThread.run {
      switch end {
      case .afterStart(let microseconds): usleep(microseconds)
      case .afterResponse(let microseconds):
        while Self.size(of: log) == size, program.isRunning { usleep(100) }
        usleep(microseconds)
      }
      program.signal(SIGKILL)
    }
  }

  private static func size(of file: String) -> Int {
    var facts = stat()
    return stat(file, &facts) == 0 ? Int(facts.st_size) : 0
  }
}
