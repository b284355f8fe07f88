import Accounts
import Dispatch
import Folders
import Sandbox
import SandboxSupport
import Service
import Storage
import StorageTestSupport
import TestSupport
import Testing

/// The memory of an account's database while the account is idle, in a process with many accounts.
@Suite struct DatabaseRestTests {
  /// Waits until everything that is enqueued on the account's queue has run, and what that enqueues.
  private func settle(_ account: Account) async {
    await withCheckedContinuation { done in
      account.queue.async { account.accountQueue.whenIdle { done.resume() } }
    }
    for _ in 0..<4 { account.queue.sync {} }
  }

  @Test("after a refresh, and after a single question, an account's database gives back its memory")
  func rest() async throws {
    let folder = TemporaryFolder()
    let others = try CrowdedDatabases(in: folder.path)
    let fixture = try BearerFixture<MastodonSandbox>(.mastodon, in: .files)
    let reports = await fixture.accountManager.refreshed([fixture.account])
    #expect(reports.allSatisfy { $0.failure == nil }, "\(reports)")
    let account = try fixture.accountManager.account(fixture.account)
    await settle(account)
    #expect(try others.residentIndex(of: fixture.files) == 0)
    #expect(try account.queue.sync { try account.store.database.countOfPosts() } > 0)
    await settle(account)
    #expect(try others.residentIndex(of: fixture.files) == 0)
  }
}
