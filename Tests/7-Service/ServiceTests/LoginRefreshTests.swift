import Accounts
import Bytes
import Dispatch
import Login
import Platform
import SandboxSupport
import Scheduling
import Service
import Settings
import Storage
import TestSupport
import Testing
import Time
import Timeline

@testable import Sandbox

/// The refresh at the end of a login in a running service, whose schedule refreshes the account too.
@Suite struct LoginRefreshTests {
  private typealias Fixture = BearerFixture<MastodonSandbox>

  /// What a login reported, and which pages were requested.
  private struct Outcome: Equatable {
    var timelines: [TimelineName] = []
    /// The number of new posts; `nil` if the timeline was not refreshed.
    var new: [Int?] = []
    var paths: [String] = []
  }

  /// Starts the schedule, and waits until a refresh that it has started waits for the job that keeps the queue busy.
  private func startRefresh(of account: Account, behind blockade: Blockade, _ fixture: Fixture) async throws {
    account.queue.async { blockade.begin(account) }
    #expect(try await eventually { blockade.isRunning })
    await withCheckedContinuation { done in fixture.accountManager.startSchedule { done.resume() } }
    // The first refreshes after a start are spread over half a second.
    fixture.time.pass(.seconds(1))
    fixture.time.ring()
    #expect(
      try await eventually {
        fixture.accountManager.scheduler.snapshots(of: [account.name])[account.name]?.work == .refresh
      })
  }

  /// Logs in with a token, and returns the reports of the login's refresh.
  /// - Parameters:
  ///   - blockade: keeps the queue busy until the login's step after the prompt waits, ahead of the schedule's refresh.
  ///   - begun: called on the account's queue once the login's first step waits.
  private func reports(
    of settings: AccountSettings, _ token: String, _ options: LoginOptions, _ fixture: Fixture,
    behind blockade: Blockade = Blockade(), begun: @escaping @Sendable () -> Void = {}
  ) async throws -> [RefreshReport] {
    let account = try fixture.accountManager.account(settings)
    let wantsToken = Locked(false)
    let reports = Locked<[RefreshReport]>([])
    let ended = Locked<Result<Void, OperationError>?>(nil)
    let session = try fixture.accountManager.login(settings, options) { news in
      switch news {
      case .token:
        blockade.begin(account)
        wantsToken.withLock { $0 = true }
      case .refreshed(let report): reports.withLock { $0.append(report) }
      default: break
      }
    } completion: { result in
      ended.withLock { $0 = result }
    }
    account.queue.async(execute: begun)
    #expect(try await eventually { wantsToken.withLock { $0 } && blockade.isRunning })
    session.paste(token)
    account.queue.async { blockade.lift() }
    #expect(try await eventually { ended.withLock { $0 != nil } })
    try ended.withLock { try $0?.get() }
    return reports.withLock { $0 }
  }

  /// Logs in while a refresh that the schedule has started waits for the login, or without any other work.
  private func logIn(_ fixture: Fixture, whileRefreshWaits: Bool) async throws -> Outcome {
    let token = try text(of: fixture.token())
    try fixture.storage.tokens(of: fixture.account.name).remove(at: fixture.time.now)
    let account = try fixture.accountManager.account(fixture.account)
    let blockade = Blockade()
    if whileRefreshWaits { try await startRefresh(of: account, behind: blockade, fixture) }
    let reports = try await reports(of: fixture.account, token, LoginOptions(usesToken: true), fixture) {
      blockade.lift()
    }
    return Outcome(
      timelines: reports.map(\.timeline),
      new: reports.map { if case .refreshed(let new) = $0.outcome { new } else { nil } },
      paths: fixture.pages.map(\.path).sorted())
  }

  private func text(of token: BearerToken) -> String {
    token.accessToken.withExposed { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    "A login reports what the schedule has fetched with its token, and requests no timeline twice",
    arguments: ["list:Friends", "bookmarks"])
  func fetchedOnce(name: String) async throws {
    func run(whileRefreshWaits: Bool) async throws -> Outcome {
      let fixture = try Fixture(
        .mastodon, scopes: ["read:lists", "read:bookmarks"], timelines: [try TimelineName(name)])
      let outcome = try await logIn(fixture, whileRefreshWaits: whileRefreshWaits)
      await fixture.close()
      return outcome
    }
    let alone = try await run(whileRefreshWaits: false)
    #expect(alone.timelines == [.home, try TimelineName(name)])
    #expect(alone.new.allSatisfy { $0.map { $0 > 0 } ?? false }, "\(alone)")
    #expect(try await run(whileRefreshWaits: true) == alone)
  }

  @Test("A login succeeds if the schedule has fetched the timeline with the last request that the server allows")
  func lastRequest() async throws {
    // One request shows whose token it is.
    let fixture = try Fixture(.mastodon, limit: 2)
    let outcome = try await logIn(fixture, whileRefreshWaits: true)
    #expect(outcome.timelines == [.home] && outcome.paths.count == 1)
    #expect(outcome.new.allSatisfy { $0.map { $0 > 0 } ?? false }, "\(outcome)")
    await fixture.close()
  }

  @Test("A login that finds another account of its user, whose token works, asks the server for that account's posts")
  func otherAccount() async throws {
    let fixture = try Fixture(.mastodon)
    #expect(try await fixture.refresh().failure == nil)
    let before = fixture.pages.count
    var second = fixture.account
    second.name = try #require(AccountName("ann2"))
    fixture.accountManager.adopt(
      Configuration(callback: CallbackSettings(port: 0), accounts: [fixture.account, second]))
    let reports = try await reports(
      of: second, try text(of: fixture.token()), LoginOptions(usesToken: true, isForNewAccount: true), fixture)
    #expect(reports.map(\.account) == [fixture.account.name.text])
    #expect(fixture.pages.count > before)
    await fixture.close()
  }

  @Test(
    "A refresh that a user requests asks the server, although a refresh that the schedule has started is not done yet")
  func user() async throws {
    func pages(withUser: Bool) async throws -> Int {
      let fixture = try Fixture(.mastodon)
      let account = try fixture.accountManager.account(fixture.account)
      let blockade = Blockade()
      try await startRefresh(of: account, behind: blockade, fixture)
      let reports = Locked<[RefreshReport]?>(withUser ? nil : [])
      if withUser {
        fixture.accountManager.refresh([fixture.account], on: account.queue) { all in reports.withLock { $0 = all } }
        // The request has now passed the account's queue and the schedule's.
        account.queue.sync {}
        _ = fixture.accountManager.scheduler.snapshots
      }
      account.queue.async { blockade.lift() }
      #expect(try await eventually { reports.withLock { $0 != nil } })
      await fixture.settle()
      await fixture.close()
      return fixture.pages.count
    }
    let alone = try await pages(withUser: false)
    #expect(alone > 0)
    #expect(try await pages(withUser: true) > alone)
  }
}
