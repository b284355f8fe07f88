import Glibc
import HTTP
import Platform
import Sandbox
import SandboxSupport
import Settings
import TestSupport
import Testing

/// Posts through a service killed at random, to a server that fails at random. `RandomFaultTests` has many more runs, without processes,
/// files and connections.
///
/// `HOMELINE_OUTBOX_RUNS` sets the number of runs (4 by default), and `HOMELINE_OUTBOX_SEED` the seed of the first one. The faults of a
/// seed are always the same, but not their exact timing.
@Suite("The outbox under random faults", .timeLimit(.minutes(240))) struct OutboxStressTests {
  private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }

  @Test(
    "No post is published twice or lost silently, whatever the server does and whenever the service is killed"
  )
  func runs() async throws {
    let seed = Self.number("HOMELINE_OUTBOX_SEED") ?? 1
    let count = max(1, Self.number("HOMELINE_OUTBOX_RUNS") ?? 4)
    var tally: [String: Int] = [:]
    // Most of the time is spent waiting, so some runs take place at the same time.
    try await withThrowingTaskGroup(of: [String].self) { group in
      var next = seed
      func add() {
        let seed = next
        next += 1
        group.addTask { try await OutboxStress(seed: seed).run() }
      }
      for _ in 0..<min(count, 4) { add() }
      while let outcomes = try await group.next() {
        for outcome in outcomes { tally[outcome, default: 0] += 1 }
        if next < seed + count { add() }
      }
    }
    print("outbox stress, seeds \(seed) to \(seed + count - 1): \(tally.sorted { $0.key < $1.key })")
    #expect(tally.values.reduce(0, +) == 3 * Int(count))
  }
}

/// One run of three posts. The second has a file, and the third replies to the first.
private struct OutboxStress {
  /// What happens to the request that publishes a post, or to the upload of its file.
  enum Fault: CaseIterable {
    case none, lostBefore, lostAfter, error, errorAfter, cutOff, tooMany, killBefore, killAfter, killInUpload
  }

  private typealias Post = (id: String, text: String, state: String)

  let seed: UInt64

  /// - Returns: for each post, the kind of server and the final state.
  func run() async throws -> [String] {
    var generator = SeededGenerator(seed: seed)
    let flavours: [MastodonFlavour] = [.mastodon, .akkoma, .goToSocial, .snac]
    let flavour = flavours[Int(seed % 4)]
    let killsAtUpload = Locked(false)
    let killer = RepeatedKiller { request in
      let path = request.path.prefix { $0 != "?" }
      return killsAtUpload.withLock { $0 }
        ? path == "/api/v2/media" : path == PostingHome.path && request.method == .post
    }
    let fixture = try await PostingHome(flavour, scopes: "write") { killer.note($0) }
    let picture = try fixture.home.file("a.png", PostFile.picture("stress/\(seed)"))
    var daemon = try await RunningDaemon(fixture.home, life: .seconds(600))
    var first: String?
    for number in 1...3 {
      let fault = Fault.allCases[Int.random(in: 0..<Fault.allCases.count, using: &generator)]
      killsAtUpload.withLock { $0 = fault == .killInUpload }
      if [.killBefore, .killAfter, .killInUpload].contains(fault) { killer.aim(at: daemon) }
      add(fault, to: fixture)
      var arguments = ["post", "ann", text(number), "--json"]
      if number == 2 { arguments += ["--media", picture] }
      if number == 3, let first { arguments += ["--reply-to", first] }
      let outcome = try await fixture.home.start(arguments, timeout: .seconds(120)).end()
      let posts = try await outbox(&daemon, fixture, after: killer)
      if number == 1 { first = posts.first?.id }
      // A killed service may not have stored the post, but then it has not sent it either.
      let isStored = posts.contains { $0.text == text(number) }
      #expect(isStored || !fixture.published.contains(text(number)), "seed \(seed), \(fault): \(outcome)")
    }
    var states: [Post] = []
    let isSettled = try await eventually(within: .seconds(240)) {
      states = try await outbox(&daemon, fixture, after: killer)
      return states.allSatisfy { isFinal($0, among: states) }
    }
    #expect(isSettled, "seed \(seed): \(states)\n\(daemon.log)")
    await daemon.stop()
    return (1...3).map { number in
      let copies = fixture.published.count { $0 == text(number) }
      let state = states.first { $0.text == text(number) }
      #expect(copies <= 1, "seed \(seed): \(text(number)) was published \(copies) times")
      switch state?.state {
      case "posted": #expect(copies == 1, "seed \(seed): \(states)")
      case "refused", "queued", nil: #expect(copies == 0, "seed \(seed): \(states)")
      case "unknown": #expect([.goToSocial, .snac].contains(flavour), "seed \(seed): \(states)")
      default: Issue.record("seed \(seed): \(states)")
      }
      return "\(flavour) \(state?.state ?? "not stored")"
    }
  }

  /// Lists the outbox. A service that waits before it sends a post again may be killed only while it lists it: then another service
  /// lists it.
  private func outbox(
    _ daemon: inout RunningDaemon, _ fixture: PostingHome, after killer: RepeatedKiller
  ) async throws -> [Post] {
    while true {
      daemon = try await restarted(daemon, fixture, after: killer)
      let outcome = try await fixture.home.run("outbox", "--json")
      if outcome.code == 0 {
        return try JSONValue(Array(outcome.output.utf8))["results"].items.map {
          ($0["id"].text ?? "", $0["text"].text ?? "", $0["state"].text ?? "")
        }
      }
      try #require(killer.hasStruck, "seed \(seed): \(outcome)")
    }
  }

  /// Returns another service if the running one has been killed.
  private func restarted(
    _ daemon: RunningDaemon, _ fixture: PostingHome, after killer: RepeatedKiller
  ) async throws -> RunningDaemon {
    guard killer.hasStruck else { return daemon }
    await daemon.stop(SIGKILL)
    killer.rest()
    return try await RunningDaemon(fixture.home, life: .seconds(600))
  }

  private func text(_ number: Int) -> String { "Post \(number) of run \(seed)." }

  private func add(_ fault: Fault, to fixture: PostingHome) {
    let failure: SandboxFault
    switch fault {
    case .none, .killAfter: return
    case .lostBefore, .killBefore: failure = .drop(worked: false)
    case .lostAfter: failure = .drop(worked: true)
    case .error: failure = .named(.serverError)
    case .errorAfter: failure = .change { $0 = Response(status: .internalServerError) }
    case .cutOff: failure = .stall(after: 20, for: .milliseconds(10))
    case .tooMany: failure = .respond(Response(status: StatusCode(429), headers: ["Retry-After": "1"]))
    case .killInUpload: return fixture.server.withFaults { $0.add(.drop(worked: false), to: "/api/v2/media") }
    }
    fixture.fault(failure)
  }

  /// Whether a state can only change at the user's request. A reply waits as long as the outcome of the first post is unknown.
  private func isFinal(_ post: Post, among posts: [Post]) -> Bool {
    ["posted", "refused", "unknown"].contains(post.state)
      || post.state == "queued" && post.text == text(3) && posts.first?.state == "unknown"
  }
}

/// Kills one service after another, each at most once, after the server has received a certain request and before it responds.
private final class RepeatedKiller: Sendable {
  private let isTime: @Sendable (RequestRecord) -> Bool
  private let current = Locked<ServiceKiller?>(nil)

  init(_ isTime: @escaping @Sendable (RequestRecord) -> Bool) { self.isTime = isTime }

  var hasStruck: Bool { current.withLock { $0?.hasStruck ?? false } }

  func aim(at daemon: RunningDaemon) {
    let killer = ServiceKiller(isTime)
    killer.aim(at: daemon)
    current.withLock { $0 = killer }
  }

  func rest() { current.withLock { $0 = nil } }
  func note(_ request: RequestRecord) { current.withLock { $0 }?.note(request) }
}
