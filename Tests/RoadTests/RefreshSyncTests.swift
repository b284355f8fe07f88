import Platform
import Sandbox
import TestSupport
import Testing

/// What a refresh asks of the disk. Each sync is a wait, and wakes a disk that sleeps.
struct RefreshSyncTests {
  @Test(
    "A refresh by the service syncs the disk once, and publishing does not sync",
    .enabled(if: FaultPlan.isPossible, "a sanitizer is in the way"))
  func once() async throws {
    let folder = TemporaryFolder()
    // The service writes into its home alone; where that lies is not known yet.
    let plan = try FaultPlan(below: try #require(Folder.parent(of: folder.path)))
    let road = try await PostingHome(
      withService: true, #""publish": ["jsonl", "atom", "bar.json"]"#, variables: plan.variables)
    // The login has begun to fetch what there is. Behind it the log of the database may begin anew.
    for _ in 0..<3 {
      road.post(2)
      try await road.run("refresh")
    }
    for count in [3, 0, 1] {
      road.post(count)
      try plan.set(nil)
      try await road.run("refresh")
      let outcome = try plan.outcome
      #expect(outcome.calls > 5)
      #expect(outcome.syncs == 1, "\(count) new posts")
    }
    #expect(await road.daemon?.stop().outcome.code == 0)
  }
}
