import Glibc
import Platform
import TestSupport
import Testing

/// Refreshes of one account while the disk fails at one call after another, each followed by one without a fault.
struct FaultedRefreshes {
  private let road: PostingHome
  private let plan: FaultPlan
  private let files: FilesOnDisk
  private let token: String
  private var posts: PostsSoFar
  private(set) var rounds = FaultRounds()

  /// The number of new posts between two refreshes.
  private static let news = 2

  /// - Parameters:
  ///   - members: members of the account.
  ///   - more: additional members of the configuration.
  init(_ members: String, more: String) async throws {
    road = try await PostingHome(withService: false, members, more: more)
    plan = try FaultPlan(below: road.home.path)
    files = FilesOnDisk(home: road.home)
    posts = try await PostsSoFar(road)
    token = try road.home.read(road.home.token)
  }

  /// The number of file-changing calls of a refresh.
  mutating func count() async throws -> Int {
    try plan.set(nil)
    posts.post(Self.news)
    let outcome = try await road.home.start(["refresh"], plan.variables).end()
    #expect(outcome.code == 0, "\(outcome.error)")
    try await posts.check("nothing")
    return try plan.outcome.calls
  }

  /// Refreshes once with the fault and once without.
  mutating func refresh(_ fault: DiskFault) async throws {
    try plan.set(fault)
    posts.post(Self.news)
    let outcome = try await road.home.start(["refresh"], plan.variables).end()
    let what = try plan.outcome
    rounds.note(outcome, what)
    let place: Comment = "\(fault) (\(what.name)): \(outcome.code) \(outcome.error)"
    #expect([0, 73, 74].contains(outcome.code), place)
    if outcome.code != 0 {
      #expect(outcome.error.contains(road.home.path), "\(place): the error does not name the path")
    }
    #expect(try road.home.read(road.home.token) == token, place)
    #expect(try await files.spoiltPublications() == [], place)
    #expect(try await files.damagedDatabases() == [], place)
    if outcome.code == 0 { #expect(try posts.areNewest, "\(place): succeeded without the new posts") }

    let next = try await road.home.run("refresh")
    #expect(next.code == 0, "\(place), then \(next.code) \(next.error)")
    try await posts.check(place)
  }
}
