import Glibc
import Platform
import TestSupport
import Testing

/// Runs of a service that publishes a page and fetches its pictures into an empty cache folder. A different disk call
/// fails in each run.
struct DiskFaultPictures {
  private let fixture: PostingFixture
  private let plan: DiskFaultPlan
  private let files: IntegrityCheck
  private(set) var rounds = DiskFaultRounds()

  private static let members = #""keep_posts": 4, "publish": ["html"]"#

  init() async throws {
    fixture = try await PostingFixture(withService: false, Self.members)
    plan = try DiskFaultPlan(below: fixture.home.path)
    files = IntegrityCheck(home: fixture.home)
  }

  private var page: String { "\(fixture.home.cacheFolder)/home_timeline.html" }

  /// Returns the number of file-changing calls from the service's start to its exit.
  func count() async throws -> Int {
    try plan.set(nil)
    let outcome = try await serve(plan.variables)
    #expect(outcome.code == 0, "\(outcome.error)")
    try await checkWhole("nothing")
    return try plan.outcome.calls
  }

  /// Runs the service while the call fails, and then again without a failure.
  mutating func fetch(_ fault: DiskFault) async throws {
    _ = try await fixture.home.shell("rm -rf '\(fixture.home.path)/cache'")
    try plan.set(fault)
    let outcome = try await serve(plan.variables)
    let faults = try plan.outcome
    rounds.note(outcome, faults)
    let context: Comment = "\(fault) (\(faults.name)): \(outcome.code) \(outcome.error)"
    #expect([0, 73, 74].contains(outcome.code), context)
    #expect(try await files.damagedPublications() == [], context)
    #expect(try await files.damagedDatabases() == [], context)
    let next = try await serve([:])
    #expect(next.code == 0, "\(context), then \(next.code) \(next.error)")
    try await checkWhole("\(context), then \(next.error)")
  }

  private func checkWhole(_ context: Comment) async throws {
    #expect(try await files.damagedPublications() == [], context)
    #expect(try !files.pictures(in: fixture.home.read(page)).isEmpty, "\(context): the page has no pictures")
    #expect(try files.leftovers() == [], context)
  }

  /// Starts the service, refreshes, and stops the service once all pictures are stored or it writes nothing more.
  private func serve(_ variables: [String: String]) async throws -> ProgramRun.Outcome {
    let program = try fixture.home.start(["daemon"], variables)
    if await program.line(containing: " is up: ", on: .error) != nil,
      let daemon = try? RunningDaemon(fixture.home, of: program)
    {
      _ = try? await daemon.request("refresh")
      if variables.isEmpty {
        let (fixture, files, page) = (fixture, files, page)
        _ = try await eventually {
          File.exists(page) ? try !files.pictures(in: fixture.home.read(page)).isEmpty : false
        }
      } else {
        try await waitUntilQuiet()
      }
      program.signal(SIGTERM)
    }
    return await program.end()
  }

  /// Waits until no file has changed for some time.
  private func waitUntilQuiet() async throws {
    var (calls, unchanged) = (-1, 0)
    _ = try await eventually(every: .milliseconds(50)) {
      let now = try plan.outcome.calls
      unchanged = now == calls ? unchanged + 1 : 0
      calls = now
      return unchanged == 8
    }
  }
}
