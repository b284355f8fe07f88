import Accounts
import Dispatch
import HTTP
import Platform
import Posting
import Sandbox
import SandboxSupport
import Scheduling
import Settings
import Storage
import TestSupport
import Testing
import Time
import Timeline

@testable import Service

/// Requests that are under way while the configuration is reloaded. A job that keeps the account's queue busy decides the order.
@Suite struct ReloadOrderTests {
  private typealias Fixture = BearerFixture<MastodonSandbox>
  private typealias Reports = Locked<[RefreshReport]?>

  private func configuration(_ accounts: [AccountSettings]) -> Configuration {
    Configuration(callback: CallbackSettings(port: 0), accounts: accounts)
  }

  /// Waits until the account's queue and the schedule have handled what was asked of them so far.
  private func pass(_ fixture: Fixture, _ account: Account) {
    for _ in 0..<3 {
      account.queue.sync {}
      _ = fixture.accountManager.scheduler.snapshots
    }
  }

  /// Requests a refresh, which the schedule knows when this returns.
  private func refresh(_ fixture: Fixture, _ account: Account) -> Reports {
    let reports = Reports(nil)
    fixture.accountManager.refresh([fixture.account], on: DispatchQueue(label: "test")) { all in
      reports.withLock { $0 = all }
    }
    pass(fixture, account)
    return reports
  }

  private func haveEnded(_ all: [Reports]) async throws -> Bool {
    try await eventually { all.allSatisfy { $0.withLock { $0 != nil } } }
  }

  /// Returns an account of a running service whose last refresh has failed, which a reload therefore plans anew.
  private func troubled() async throws -> (Fixture, Account) {
    let fixture = try Fixture(.mastodon)
    await fixture.start()
    fixture.server.with { $0.refusals["ann"] = Response(status: StatusCode(503)) }
    #expect(try await fixture.refresh().failure != nil)
    return (fixture, try fixture.accountManager.account(fixture.account))
  }

  @Test("Refreshes that run or wait while a reload plans their account anew end for their users", arguments: [0, 1, 2])
  func plannedAnew(before: Int) async throws {
    let (fixture, account) = try await troubled()
    let blockade = Blockade()
    account.queue.async { blockade.begin(account) }
    #expect(try await eventually { blockade.isRunning })
    // The first one runs, and waits for the queue. The others wait for the first one.
    var all = [refresh(fixture, account)]
    for _ in 0..<before { all.append(refresh(fixture, account)) }
    fixture.accountManager.adopt(configuration([fixture.account]))
    pass(fixture, account)
    for _ in before..<2 { all.append(refresh(fixture, account)) }
    account.queue.async { blockade.lift() }
    #expect(try await haveEnded(all))
    await fixture.close()
  }

  @Test("A refresh ends for its user if a reload disables its account and another one enables it again")
  func disabled() async throws {
    let (fixture, account) = try await troubled()
    let blockade = Blockade()
    account.queue.async { blockade.begin(account) }
    #expect(try await eventually { blockade.isRunning })
    let first = refresh(fixture, account)
    var disabled = fixture.account
    disabled.isEnabled = false
    fixture.accountManager.adopt(configuration([disabled]))
    pass(fixture, account)
    fixture.accountManager.adopt(configuration([fixture.account]))
    pass(fixture, account)
    let second = refresh(fixture, account)
    account.queue.async { blockade.lift() }
    #expect(try await haveEnded([first, second]))
    await fixture.close()
  }

  @Test("A refresh that reaches the schedule after its account was removed is cancelled, and the account can return")
  func removed() async throws {
    let fixture = try Fixture(.mastodon)
    await fixture.start()
    let account = try fixture.accountManager.account(fixture.account)
    fixture.accountManager.adopt(configuration([]))
    #expect(try await eventually { account.queue.sync { account.hasEnded } })
    let report = await withCheckedContinuation { done in
      fixture.accountManager.scheduler.refresh(account.home, of: account) { done.resume(returning: $0) }
    }
    #expect(report.next == .cancelled)
    #expect(fixture.accountManager.scheduler.snapshots[account.name] == nil)
    fixture.accountManager.adopt(configuration([fixture.account]))
    let next = try fixture.accountManager.account(fixture.account)
    #expect(next !== account)
    let reports = refresh(fixture, next)
    #expect(try await haveEnded([reports]))
    #expect(reports.withLock { $0?.first?.failure } == nil)
    await fixture.close()
  }

  @Test(
    "A request that began before a reload opens no account that was removed, and uses the settings that were changed")
  func outdated() async throws {
    let fixture = try Fixture(.mastodon)
    fixture.accountManager.adopt(configuration([]))
    #expect(throws: OperationError.self) { try fixture.accountManager.account(fixture.account) }
    var changed = fixture.account
    changed.keepPosts = 7
    fixture.accountManager.adopt(configuration([changed]))
    let account = try fixture.accountManager.account(fixture.account)
    #expect(account.queue.sync { account.settings } == changed)
    await fixture.close()
  }

  @Test("A post's request that was accepted is not refused because homeline begins to shut down")
  func accepted() async throws {
    let fixture = try Fixture(.mastodon)
    let shutdown = fixture.accountManager.shared.shutdown
    let ended = Locked(false)
    let waiter = PostWaiter { _ in
    } completion: { _ in
      ended.withLock { $0 = true }
      shutdown.begin()
    }
    // The outbox has no such post, so the command ends as soon as the account's queue takes it up.
    _ = try fixture.accountManager.retryPost(
      try #require(IntentID("out-4k7m2p9xq1")), isConfirmed: false, of: fixture.account, waiter: waiter)
    #expect(try await eventually { ended.withLock { $0 } })
    await fixture.close()
  }
}
