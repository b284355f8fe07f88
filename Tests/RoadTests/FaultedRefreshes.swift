import Glibc
import Platform
import TestSupport
import Testing

/// One account whose refreshes lose the disk at one call after the other, each followed by one that does not.
struct FaultedRefreshes {
  private let road: PostingHome
  private let plan: FaultPlan
  private let files: FilesOnDisk
  private let token: String
  private var posts: PostsSoFar
  private(set) var rounds = FaultRounds()

  /// How many posts come between two refreshes.
  private static let news = 2

  /// - Parameters:
  ///   - members: of the account.
  ///   - more: further members of the configuration.
  init(_ members: String, more: String) async throws {
    road = try await PostingHome(withService: false, members, more: more)
    plan = try FaultPlan(below: road.home.path)
    files = FilesOnDisk(home: road.home)
    posts = try await PostsSoFar(road)
    token = try road.home.read(road.home.token)
  }

  /// How many calls a refresh makes that change files.
  mutating func count() async throws -> Int {
    try plan.set(nil)
    posts.post(Self.news)
    let outcome = try await road.home.start(["refresh"], plan.variables).end()
    #expect(outcome.code == 0, "\(outcome.error)")
    try await posts.check("nothing")
    return try plan.outcome.calls
  }

  /// Refreshes once with the fault, and once without.
  mutating func refresh(_ fault: DiskFault) async throws {
    try plan.set(fault)
    posts.post(Self.news)
    let outcome = try await road.home.start(["refresh"], plan.variables).end()
    let what = try plan.outcome
    rounds.note(outcome, what)
    let place: Comment = "\(fault) (\(what.name)): \(outcome.code) \(outcome.error)"
    #expect([0, 73, 74].contains(outcome.code), place)
    if outcome.code != 0 { #expect(outcome.error.contains(road.home.path), "\(place): it does not say where") }
    #expect(try road.home.read(road.home.token) == token, place)
    #expect(try await files.spoiltPublications() == [], place)
    #expect(try await files.damagedDatabases() == [], place)
    if outcome.code == 0 { #expect(try posts.areNewest, "\(place): done, and the posts are not there") }

    let next = try await road.home.run("refresh")
    #expect(next.code == 0, "\(place), then \(next.code) \(next.error)")
    try await posts.check(place)
  }
}
