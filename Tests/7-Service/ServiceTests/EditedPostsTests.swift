import Accounts
import Formats
import HTTP
import JSON
import SandboxSupport
import Service
import Settings
import Testing
import Time
import Timeline

@testable import Sandbox

/// Edits of known posts at a server that supports paging upwards.
@Suite struct EditedPostsTests {
  /// Returns how many published posts (without boosts) show that they were edited, and how many are published in total.
  private func edited(_ fixture: BearerFixture<MastodonSandbox>) throws -> (shown: Int, all: Int) {
    let posts = try fixture.published().posts.filter { $0.repostedBy == nil }
    return (posts.count { $0.text.contains("Edited: ") && $0.editedAt != nil }, posts.count)
  }

  @Test("a manual refresh fetches the edits of all posts on the newest page")
  func asked() async throws {
    let fixture = try BearerFixture(.goToSocial)
    _ = try await fixture.refresh()
    #expect(try edited(fixture).shown == 0)
    fixture.play { $0.quirks.edited = (every: 1, since: fixture.time.now) }
    #expect(try await fixture.refresh().failure == nil)
    let (shown, all) = try edited(fixture)
    #expect(all > 20)
    #expect(shown == all)
    #expect(fixture.pages.count == 4, "each refresh sends two requests")
    await fixture.close()
  }

  @Test("a running service fetches edits within five refreshes, and the other refreshes reread no page")
  func scheduled() async throws {
    let fixture = try BearerFixture(.goToSocial)
    _ = try await fixture.refresh()
    await fixture.start()
    await fixture.run(for: .seconds(61))
    fixture.play { $0.quirks.edited = (every: 1, since: fixture.time.now) }
    let before = fixture.pages.count
    await fixture.run(for: .seconds(5 * 60))
    let (shown, all) = try edited(fixture)
    #expect(all > 20 && shown >= all - 1, "the newest post may have arrived later")
    #expect((5...7).contains(fixture.pages.count - before))
    await fixture.close()
  }

  @Test("a failed request for edits does not mark the timeline as stale")
  func failing() async throws {
    let fixture = try BearerFixture(.goToSocial)
    _ = try await fixture.refresh()
    fixture.play {
      $0.faults.add(.change { _ in }, to: "/api/v1/timelines/home")
      $0.faults.add(
        .respond(Response(status: StatusCode(500), type: "text/html", text: "oops")), to: "/api/v1/timelines/home")
    }
    #expect(try await fixture.refresh().failure == nil)
    #expect(try fixture.published().head.problem == nil && fixture.published().head.staleSince == nil)
    await fixture.close()
  }
}
