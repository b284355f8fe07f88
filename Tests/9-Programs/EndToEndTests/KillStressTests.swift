import Glibc
import Platform
import TestSupport
import Testing

/// Programs killed with SIGKILL at random moments while they work for an OAuth 1.0a account. ``RenewalStressTests`` covers renewals, and
/// ``KilledServiceTests`` covers the service.
///
/// `HOMELINE_KILL_ROUNDS` sets the number of kills (20 by default). `HOMELINE_KILL_SEED` repeats a sequence, though not
/// its exact timing.
@Suite("Programs killed at random moments", .timeLimit(.minutes(120))) struct KillStressTests {
  private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }

  @Test("After SIGKILL, the files, pictures and database are intact, and the next start fetches what is missing")
  func killed() async throws {
    let rounds = Int(Self.number("HOMELINE_KILL_ROUNDS") ?? 20)
    let seed = Self.number("HOMELINE_KILL_SEED") ?? .random(in: 0...999_999)
    var work = try await KillStress(seed: seed)
    for number in 1...max(rounds, 1) { try await work.round(number) }
    print("kill stress, seed \(seed): \(work.tally)")
  }
}

/// Kills programs at random moments while they work for one account, and checks the state immediately and after the next start.
struct KillStress {
  /// The work that the kill interrupts.
  enum Work: String, CaseIterable {
    /// A login of an account that is already authorised.
    case login
    /// A refresh that adds posts and publishes them in all formats and in a view.
    case refresh
    /// A start of the service, which publishes all files and fetches all pictures.
    case pictures
  }

  /// Counts for the test's output.
  struct Tally {
    var killed: [String: Int] = [:]
    var ended: [String: Int] = [:]
  }

  private static let members =
    #""keep_posts": 12, "publish": ["jsonl", "atom", "feed.json", "txt", "bar.json", "html"]"#
  private static let view =
    #""views": { "all": { "publish": ["jsonl", "atom", "feed.json", "txt", "bar.json", "html"] } }"#

  private let fixture: PostingFixture
  private let files: IntegrityCheck
  private var posts: ExpectedPosts
  private var generator: SeededGenerator
  /// The longest duration of each kind of undisturbed work, in microseconds.
  private var longest: [Work: UInt32] = [:]
  private(set) var tally = Tally()

  init(seed: UInt64) async throws {
    generator = SeededGenerator(seed: seed)
    fixture = try await PostingFixture(withService: false, Self.members, more: Self.view)
    files = IntegrityCheck(home: fixture.home)
    posts = try await ExpectedPosts(fixture)
    for work in Work.allCases {
      let clock = ContinuousClock()
      let begun = clock.now
      let outcome = try await run(work, killedAfter: nil)
      try #require(outcome.code == 0, "\(work): \(outcome.error)")
      longest[work] = UInt32((clock.now - begun) / .microseconds(1))
      try await posts.check("\(work), undisturbed")
    }
  }

  /// Starts work of one kind, kills it, and checks the state before and after the next refresh.
  mutating func round(_ number: Int) async throws {
    let work = Work.allCases.randomElement(using: &generator)!
    let pause = UInt32.random(in: 0...(longest[work] ?? 0), using: &generator)
    let outcome = try await run(work, killedAfter: pause)
    let context: Comment =
      "round \(number): \(work), killed after \(pause) microseconds: \(outcome.code) \(outcome.error)"
    let wasKilled = outcome.code == 128 + SIGKILL
    #expect(wasKilled || outcome.code == 0, context)
    if wasKilled {
      tally.killed[work.rawValue, default: 0] += 1
    } else {
      tally.ended[work.rawValue, default: 0] += 1
      // The work is faster now than in the first rounds, when other tests kept the processor busy.
      longest[work] = max(pause, (longest[work] ?? 0) / 10 * 9)
    }
    #expect(try JSONValue(file: fixture.home.token)["secret"].text?.isEmpty == false, context)
    #expect(try await files.damagedPublications() == [], context)
    #expect(try await files.damagedDatabases() == [], context)

    let next = try await fixture.home.run("refresh")
    #expect(next.code == 0, "\(context), then \(next.code) \(next.error)")
    for word in ["damaged", "corrupt", "cannot"] {
      #expect(!next.error.contains(word), "\(context), then \(next.error)")
    }
    try await posts.check(context)
  }

  private mutating func run(_ work: Work, killedAfter pause: UInt32?) async throws -> ProgramRun.Outcome {
    if work == .pictures { _ = try await fixture.home.shell("rm -rf '\(fixture.home.path)/cache'") }
    posts.post(Int.random(in: 1...3, using: &generator))
    let arguments: [Work: [String]] = [
      .login: ["login", "--no-browser"], .refresh: ["refresh"], .pictures: ["daemon"],
    ]
    let program = try fixture.home.start(arguments[work] ?? [])
    if let pause {
      OwnThread.start {
        usleep(pause)
        program.signal(SIGKILL)
      }
    }
    switch work {
    case .login: await grant(program)
    case .refresh: break
    case .pictures:
      if let service = try await service(program) {
        _ = try? await service.request("refresh")
        if pause == nil {
          let (fixture, files) = (fixture, files)
          let isDone = try await eventually {
            !files.pictures(in: try fixture.home.read("\(fixture.home.cacheFolder)/home_timeline.html")).isEmpty
          }
          try #require(isDone, "the page has no pictures")
          program.signal(SIGTERM)
        }
      }
    }
    return await program.end()
  }

  /// Approves the login on the provider. The program may exit in the meantime.
  private func grant(_ program: ProgramRun) async {
    guard let line = await program.line(containing: "oauth_token="), let address = try? LocalURL(line) else {
      return
    }
    _ = try? await OwnThread.run {
      let browser = ScriptedBrowser()
      return try browser.follow(browser.grant(at: address))
    }
  }

  /// - Returns: the pending login; `nil` if the program was killed before it was ready.
  private func service(_ program: ProgramRun) async throws -> RunningDaemon? {
    guard await program.line(containing: " is up: ", on: .error) != nil else { return nil }
    return try? RunningDaemon(fixture.home, of: program)
  }
}
