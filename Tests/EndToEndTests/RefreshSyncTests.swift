import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// The number of disk syncs in a refresh. Each sync blocks the service and wakes a sleeping disk.
struct RefreshSyncTests {
  @Test(
    "A refresh by the service syncs new posts only once; publishing does not sync; without new posts, nothing is synced",
    .enabled(if: DiskFaultPlan.isPossible, "the sanitizer's library must be loaded first"))
  func once() async throws {
    let folder = TemporaryFolder()
    // The plan covers the parent folder, because the path of the home folder is not known yet. The service writes only
    // to its home folder.
    let plan = try DiskFaultPlan(below: try #require(Folder.parent(of: folder.path)))
    let fixture = try await PostingFixture(
      withService: true, #""publish": ["jsonl", "atom", "bar.json"]"#, variables: plan.variables)
    // These refreshes complete what the login has started. The database's log may be reset after the login.
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
