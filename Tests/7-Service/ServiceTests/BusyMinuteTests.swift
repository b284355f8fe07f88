import Accounts
import Formats
import HTTP
import Sandbox
import SandboxSupport
import Testing
import Time
import Timeline

/// Many posts while late posts are looked for, on a server whose timeline is read upwards.
@Suite("Busy minutes on Mastodon-compatible servers")
struct BusyMinuteTests {
  private typealias Fixture = BearerFixture<CrowdedServer>

  /// Returns an account that has read old posts and a burst of posts since, with the ids of the burst, oldest first.
  private func afterBurst(of count: Int, largestPage: Int) async throws -> (Fixture, [String]) {
    let fixture = try Fixture(ofMastodon: CrowdedServer(largestPage: largestPage), keepPosts: 200)
    let now = fixture.time.now
    _ = fixture.play { $0.provider.add(15, at: now - .seconds(600)) }
    #expect(try await fixture.refresh().failure == nil)
    let burst = fixture.play { $0.provider.add(count, at: now + .seconds(30)) }
    fixture.time.pass(.seconds(60))
    #expect(try await fixture.refresh().failure == nil)
    return (fixture, burst)
  }

  private func queries(_ fixture: Fixture) -> [String] { fixture.play { $0.provider.queries } }

  @Test(
    "after a burst of posts, each refresh without new posts sends one request, and sees edits and deletions",
    arguments: [(25, 40), (25, 20), (70, 40), (70, 20)])
  func burst(count: Int, largestPage: Int) async throws {
    let (fixture, burst) = try await afterBurst(of: count, largestPage: largestPage)
    #expect(try Array(fixture.published().posts.map(\.id.text).prefix(count)) == burst.reversed())
    #expect(try fixture.published().head.gaps.isEmpty)
    await fixture.start()
    await fixture.run(for: .seconds(61))
    fixture.play { $0.provider.forgetQueries() }
    let (edited, deleted) = (burst[count - 3], burst[count - 5])
    fixture.play { $0.provider.edit(edited, at: fixture.time.now) }
    fixture.play { $0.provider.delete(deleted) }
    await fixture.run(for: .seconds(3600))
    // The newest page is read again after each fifth refresh.
    #expect((60...74).contains(queries(fixture).count))
    let posts = try fixture.published().posts
    #expect(posts.contains { $0.id.text == edited && $0.text.contains("Edited: ") })
    await fixture.run(for: .seconds(900))
    #expect(try !fixture.published().posts.contains { $0.id.text == deleted })
    await fixture.close()
  }

  @Test("a refresh that finds nothing new after a burst costs the page and a check for edits", arguments: [20, 40])
  func asked(largestPage: Int) async throws {
    let (fixture, _) = try await afterBurst(of: 25, largestPage: largestPage)
    _ = try await fixture.refresh()
    fixture.play { $0.provider.forgetQueries() }
    let report = try await fixture.refresh()
    guard case .refreshed(0) = report.outcome else { return #expect(Bool(false), "\(report)") }
    #expect(queries(fixture).count == 2)
    await fixture.close()
  }

  @Test("edits are found within a few refreshes while more posts than a page holds arrive in each minute")
  func constant() async throws {
    let (fixture, burst) = try await afterBurst(of: 25, largestPage: 40)
    await fixture.start()
    fixture.play { $0.provider.edit(burst[20], at: fixture.time.now) }
    for _ in 0..<3 {
      _ = fixture.play { $0.provider.add(12, at: fixture.time.now) }
      await fixture.run(for: .seconds(60))
    }
    #expect(try fixture.published().posts.contains { $0.id.text == burst[20] && $0.text.contains("Edited: ") })
    #expect(try fixture.published().head.gaps.isEmpty)
    await fixture.close()
  }

  @Test("after a long pause, the newest posts come first, and the missing ones are reported as a gap")
  func longPause() async throws {
    let fixture = try Fixture(ofMastodon: CrowdedServer(), keepPosts: 1000)
    _ = fixture.play { $0.provider.add(30, at: fixture.time.now - .seconds(600)) }
    _ = try await fixture.refresh()
    fixture.time.pass(.seconds(86_400))
    let missed = fixture.play { $0.provider.add(600, at: fixture.time.now - .seconds(3600)) }
    let first = try await fixture.refresh()
    #expect(first.missing?.contains("homeline refresh ann") == true)
    let published = try fixture.published()
    #expect(published.posts.first?.id.text == missed.last)
    #expect(published.head.gaps.count == 1 && published.head.gaps.allSatisfy(\.isFillable))
    let second = try await fixture.refresh()
    #expect(second.missing == nil)
    #expect(try fixture.published().head.gaps.isEmpty)
    #expect(try Array(fixture.published().posts.map(\.id.text).prefix(600)) == missed.reversed())
    await fixture.close()
  }

  @Test("a limit right after the first page of many new posts is reported together with the missing posts")
  func limited() async throws {
    let fixture = try Fixture(ofMastodon: CrowdedServer(), keepPosts: 200)
    _ = fixture.play { $0.provider.add(30, at: fixture.time.now - .seconds(600)) }
    _ = try await fixture.refresh()
    fixture.time.pass(.seconds(86_400))
    _ = fixture.play { $0.provider.add(100, at: fixture.time.now - .seconds(3600)) }
    fixture.play {
      $0.faults.add(.change { _ in }, to: "/api/v1/timelines/home")
      $0.faults.add(.drop(worked: false), to: "/api/v1/timelines/home", times: 9)
    }
    let report = try await fixture.refresh()
    #expect(report.failure != nil || report.missing?.hasPrefix("newer posts") == true)
    fixture.play { $0.faults.removeAll() }
    fixture.time.pass(.seconds(60))
    #expect(try await fixture.refresh().missing == nil)
    #expect(try fixture.published().head.gaps.isEmpty)
    await fixture.close()
  }
}
