import Glibc
import Platform
import TestSupport
import Testing

/// Refreshes of one account, each with a different failing disk call and followed by a refresh without a failure.
struct DiskFaultRefreshes {
  private let fixture: PostingFixture
  private let plan: DiskFaultPlan
  private let files: IntegrityCheck
  private let token: String
  private var posts: ExpectedPosts
  private(set) var rounds = DiskFaultRounds()

  /// The number of new posts between two refreshes.
  private static let news = 2

  /// - Parameters:
  ///   - members: members of the account's configuration.
  ///   - more: additional top-level members of the configuration.
  init(_ members: String, more: String) async throws {
    fixture = try await PostingFixture(withService: false, members, more: more)
    plan = try DiskFaultPlan(below: fixture.home.path)
    files = IntegrityCheck(home: fixture.home)
    posts = try await ExpectedPosts(fixture)
    token = try fixture.home.read(fixture.home.token)
  }

  /// Returns the number of file-changing calls of a refresh.
  mutating func count() async throws -> Int {
    try plan.set(nil)
    posts.post(Self.news)
    let outcome = try await fixture.home.start(["refresh"], plan.variables).end()
    #expect(outcome.code == 0, "\(outcome.error)")
    try await posts.check("nothing")
    return try plan.outcome.calls
  }

  /// Refreshes while the call fails, and then again without a failure.
  mutating func refresh(_ fault: DiskFault) async throws {
    try plan.set(fault)
    posts.post(Self.news)
    let outcome = try await fixture.home.start(["refresh"], plan.variables).end()
    let faults = try plan.outcome
    rounds.note(outcome, faults)
    let context: Comment = "\(fault) (\(faults.name)): \(outcome.code) \(outcome.error)"
    #expect([0, 73, 74].contains(outcome.code), context)
    if outcome.code != 0 {
      #expect(outcome.error.contains(fixture.home.path), "\(context): the error does not name the path")
    }
    #expect(try fixture.home.read(fixture.home.token) == token, context)
    #expect(try await files.damagedPublications() == [], context)
    #expect(try await files.damagedDatabases() == [], context)
    if outcome.code == 0 { #expect(try posts.areNewest, "\(context): the command succeeded without the new posts") }

    let next = try await fixture.home.run("refresh")
    #expect(next.code == 0, "\(context), then \(next.code) \(next.error)")
    try await posts.check(context)
  }
}
