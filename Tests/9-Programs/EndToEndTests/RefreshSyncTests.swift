import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// How often a refresh syncs the disk. Each sync blocks the service and wakes a sleeping disk.
struct RefreshSyncTests {
  @Test(
    "A service refresh syncs once to store new posts but not to publish them; without new posts, it does not sync",
    .enabled(if: DiskFaultPlan.isPossible, "the sanitizer's library must be loaded first"))
  func once() async throws {
    let folder = TemporaryFolder()
    // The plan covers the parent folder, because the home folder's path is unknown yet. The service writes only to its home folder.
    let plan = try DiskFaultPlan(below: try #require(Folder.parent(of: folder.path)))
    let fixture = try await PostingFixture(
      withService: true, #""publish": ["jsonl", "atom", "bar.json"]"#, variables: plan.variables)
    // Let refreshes complete what the login started, such as a reset of the database's log.
    for _ in 0..<3 {
      fixture.post(2)
      try await fixture.run("refresh")
    }
    for count in [3, 0, 1] {
      fixture.post(count)
      try plan.set(nil)
      try await fixture.run("refresh")
      let outcome = try plan.outcome
      #expect(outcome.calls > 0)
      #expect(outcome.syncs == (count > 0 ? 1 : 0), "\(count) new posts")
    }
    #expect(await fixture.daemon?.stop().outcome.code == 0)
  }
}
