import Glibc
import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// The resources that a service with many accounts uses over a long time, and the order of its requests.
///
/// `HOMELINE_SOAK_MINUTES` sets the duration (30 with `make soak`), and `HOMELINE_SOAK_ACCOUNTS` sets the number of
/// accounts (200 by default). Without a duration, the test runs a few accounts for twenty seconds, which is enough to
/// check the order but not the memory.
@Suite("A service under continuous load", .serialized, .timeLimit(.minutes(90))) struct SoakTests {
  private static let minutes = number("HOMELINE_SOAK_MINUTES")

  private static func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }

  private let accounts = (0..<(number("HOMELINE_SOAK_ACCOUNTS") ?? (minutes == nil ? 12 : 200))).map { number in
    "a\(String(number + 1000).dropFirst())"
  }
  private let length: Duration = minutes.map { .seconds(60 * $0) } ?? .seconds(20)

  @Test("Every account is refreshed in order and gets its new posts, while memory and descriptors stay constant")
  func soak() async throws {
    let requests = TimelineRequests()
    let fixture = try TwitterFixture(accounts: []) { requests.note($0.query ?? "") }
    try fixture.configure(
      accounts.map { name in (name, account(name, of: fixture)) }, more: #""publish": ["jsonl", "bar.json"]"#)
    let daemon = try await RunningDaemon(fixture.home, life: length + .seconds(600))
    let statistics = ProcessStatistics(process: daemon.program.process)
    for name in accounts { try await daemon.logIn(name) }

    // The run has three parts. The first is the warm-up.
    var parts: [[(kibibytes: Int, descriptors: Int)]] = [[], [], []]
    let clock = ContinuousClock()
    let begun = clock.now
    while clock.now - begun < length {
      let part = min(2, Int((clock.now - begun) / length * 3))
      parts[part].append((try statistics.residentMemory(), statistics.descriptors))
      try await Task.sleep(for: .seconds(1))
    }

    #expect(requests.outOfOrder == [])
    let counts = requests.counts
    #expect(Set(counts.keys) == Set(accounts))
    // Each account is refreshed every 15 seconds, though not until the last login has completed.
    let least = Int(length / .seconds(15)) - 1
    #expect(
      counts.values.allSatisfy { $0 >= least },
      "expected at least \(least) requests per account, got \(counts.values.sorted().prefix(5))")
    let status = try await daemon.status()
    #expect(status["accounts"].items.allSatisfy { $0["error"] == .null }, "\(daemon.log)")
    for name in accounts {
      let ids = try JSONValue(file: fixture.home.timeline(of: name))["posts"].items.compactMap {
        $0["id"].text.flatMap(Int.init)
      }
      #expect(ids.count > 10 && ids == ids.sorted(by: >), "\(name)")
    }

    let memory = parts.map { part in part.map(\.kibibytes).reduce(0, +) / max(1, part.count) }
    let descriptors = parts.map { $0.map(\.descriptors) }
    print(
      "soak: \(accounts.count) accounts, \(counts.values.reduce(0, +)) refreshes; KiB: \(memory); descriptors at most:",
      descriptors.map { $0.max() ?? 0 })
    // At most six requests are in progress and six connections idle.
    #expect(descriptors[2].max()! <= descriptors[1].max()! + 6)
    #expect(descriptors[2].min()! <= descriptors[1].max()!)
    if Self.minutes ?? 0 >= 9 { #expect(memory[2] * 100 <= memory[1] * 101, "KiB: \(memory)") }
    #expect(await daemon.stop().outcome.code == 0)
  }

  /// Returns the configuration of an account whose timeline requests contain its name.
  private func account(_ name: String, of fixture: TwitterFixture) -> String {
    let timeline = fixture.sandbox.address(of: .homeTimeline)
    return fixture.account(#""refresh_seconds": 15, "keep_posts": 200"#)
      .replacing(timeline, with: "\(timeline)?owner=\(name)")
  }
}

/// The timeline requests of each account.
private final class TimelineRequests: Sendable {
  private struct Account {
    var count = 0
    /// The newest known post in the account's requests.
    var newest = 0
  }

  private let accounts = Locked<[String: Account]>([:])
  private let wrong = Locked<[String]>([])

  /// - Parameter query: a request's query.
  func note(_ query: String) {
    let pairs = query.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    let values = Dictionary(pairs.compactMap { $0.count == 2 ? ($0[0], $0[1]) : nil }) { $1 }
    guard let owner = values["owner"] else { return }
    accounts.withLock { accounts in
      accounts[owner, default: Account()].count += 1
      // A request for a page below the newest one goes back on purpose.
      guard values["max_id"] == nil, let since = values["since_id"].flatMap(Int.init) else { return }
      if since < accounts[owner]!.newest { wrong.withLock { $0.append(query) } }
      accounts[owner]!.newest = since
    }
  }

  var counts: [String: Int] { accounts.withLock { $0.mapValues(\.count) } }
  /// The requests that asked for posts that the account already had.
  var outOfOrder: [String] { wrong.withLock { $0 } }
}
