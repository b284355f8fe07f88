import Accounts
import Folders
import Formats
import Platform
import Sandbox
import SandboxSupport
import Service
import Settings
import Storage
import StorageSQLite
import Testing
import Timeline

/// Gaps at servers whose timelines have no known end, such as GNU social.
@Suite struct GNUSocialGapTests {
  private func published(by service: SimulatedService) throws -> TimelineFile {
    try TimelineFile.read(
      try File.read(service.layout.files(of: service.accounts[0].name.text).timeline, limit: 1 << 26))
  }

  @Test("after an error on the second page of 650 new posts, the next refresh closes the gap and no post is missing")
  func errorOnSecondPage() async throws {
    var policy = SandboxPolicy()
    policy.isGNUSocial = true
    let service = try SimulatedService(accounts: 1, policy: policy, keepPosts: 1200)
    try await service.logIn()
    let before = try published(by: service).posts.map(\.id.text)
    // The timeline has one post every 40 s.
    service.time.pass(.seconds(650 * 40))
    service.sandbox.withFaults {
      $0.add(.change { _ in }, to: .homeTimeline)
      $0.add(.error(500, code: 131, "Internal error"), to: .homeTimeline)
    }
    _ = await service.refresh()
    let broken = try published(by: service)
    #expect(broken.head.gaps.count == 1 && broken.head.gaps[0].isFillable)
    service.time.pass(.seconds(60))
    _ = await service.refresh()
    let whole = try published(by: service)
    #expect(whole.head.gaps == [])
    let ids = whole.posts.map(\.id.text)
    let known = try #require(ids.firstIndex(of: before[0]))
    #expect((645...660).contains(known))
    #expect(Array(ids[known...]) == Array(before.prefix(ids.count - known)))
    await service.close()
  }

  @Test("a gap below more new posts than are published is filled too")
  func belowPublishedPosts() async throws {
    var policy = SandboxPolicy()
    policy.isGNUSocial = true
    let service = try SimulatedService(accounts: 1, policy: policy, keepPosts: nil)
    try await service.logIn()
    let before = try published(by: service).posts.map(\.id.text)
    #expect(before.count == 200)
    service.time.pass(.seconds(650 * 40))
    service.sandbox.withFaults {
      $0.add(.change { _ in }, to: .homeTimeline)
      $0.add(.error(500, code: 131, "Internal error"), to: .homeTimeline)
    }
    _ = await service.refresh()
    func stored() throws -> (posts: [String], gaps: [Gap]) {
      let database = try #require(try AccountDatabase.openForReading(service.layout.files(of: "account-0")))
      defer { database.close() }
      return (try database.newestPosts(2000, of: .home).map(\.mark.id.text), try database.spans(of: .home).gaps)
    }
    #expect(try stored().gaps.count == 1)
    service.time.pass(.seconds(60))
    _ = await service.refresh()
    let whole = try published(by: service)
    #expect(whole.posts.count == 200 && whole.head.gaps == [])
    let (posts, gaps) = try stored()
    let known = try #require(posts.firstIndex(of: before[0]))
    #expect(gaps == [] && (645...660).contains(known) && posts.count > 1400)
    #expect(Array(posts[known...].prefix(200)) == before)
    await service.close()
  }
}
