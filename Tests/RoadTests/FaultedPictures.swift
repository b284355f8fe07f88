import Glibc
import Platform
import TestSupport
import Testing

/// A service that publishes a page and fetches its pictures into a new cache folder, while the disk fails at one call
/// after another.
struct FaultedPictures {
  private let road: PostingHome
  private let plan: FaultPlan
  private let files: FilesOnDisk
  private(set) var rounds = FaultRounds()

  private static let members = #""keep_posts": 4, "publish": ["html"]"#

  init() async throws {
    road = try await PostingHome(withService: false, Self.members)
    plan = try FaultPlan(below: road.home.path)
    files = FilesOnDisk(home: road.home)
  }

  private var page: String { "\(road.folder())/home_timeline.html" }

  /// The number of file-changing calls from the service's start to its end.
  func count() async throws -> Int {
    try plan.set(nil)
    let outcome = try await serve(plan.variables)
    #expect(outcome.code == 0, "\(outcome.error)")
    try await checkWhole("nothing")
    return try plan.outcome.calls
  }

  /// Runs the service once with the fault and once without.
  mutating func fetch(_ fault: DiskFault) async throws {
    _ = try await road.home.shell("rm -rf '\(road.home.path)/cache'")
    try plan.set(fault)
    let outcome = try await serve(plan.variables)
    let what = try plan.outcome
    rounds.note(outcome, what)
    let place: Comment = "\(fault) (\(what.name)): \(outcome.code) \(outcome.error)"
    #expect([0, 73, 74].contains(outcome.code), place)
    #expect(try await files.spoiltPublications() == [], place)
    #expect(try await files.damagedDatabases() == [], place)
    let next = try await serve([:])
    #expect(next.code == 0, "\(place), then \(next.code) \(next.error)")
    try await checkWhole("\(place), then \(next.error)")
  }

  private func checkWhole(_ place: Comment) async throws {
    #expect(try await files.spoiltPublications() == [], place)
    #expect(try !files.pictures(in: road.home.read(page)).isEmpty, "\(place): the page has no pictures")
    #expect(try files.leftovers() == [], place)
  }

  /// Starts the service, refreshes, and stops it when the pictures are there or nothing more is written.
  private func serve(_ variables: [String: String]) async throws -> ProgramRun.Outcome {
    let program = try road.home.start(["daemon"], variables)
    if await program.line(containing: " is up: ", on: .error) != nil,
      let daemon = try? RunningDaemon(road.home, of: program)
    {
      _ = try? await daemon.ask("refresh")
      if variables.isEmpty {
        let (road, files, page) = (road, files, page)
        _ = try await eventually {
          File.exists(page) ? try !files.pictures(in: road.home.read(page)).isEmpty : false
        }
      } else {
        try await waitUntilQuiet()
      }
      program.signal(SIGTERM)
    }
    return await program.end()
  }

  /// Waits until no file has changed for a while.
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
