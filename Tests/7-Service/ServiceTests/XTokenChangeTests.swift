import Accounts
import Bytes
import Dispatch
import Folders
import Formats
import HTTP
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

@Suite("Events during an X token renewal") struct XTokenChangeTests {
  @Test("setting new keys during a renewal does not lose its response")
  func reload() async throws {
    let fixture = try XFixture.ofX()
    let first = try fixture.token()
    fixture.time.pass(.seconds(7_201))
    var changed = fixture.account
    changed.credentials = .oauth2(
      clientID: XSandbox.confidentialClientID, clientSecret: .literal(Secret(XSandbox.confidentialClientSecret)))
    let (accountManager, settings) = (fixture.accountManager, changed)
    fixture.onceDuringRenewal {
      accountManager.adopt(Configuration(callback: CallbackSettings(port: 0), accounts: [settings]))
      _ = try? accountManager.nextRefresh(of: settings)
    }
    guard case .notSent(_, .cancelled) = try await fixture.refresh().outcome else {
      Issue.record("the refresh continued with the new settings")
      return
    }
    let second = try fixture.token()
    #expect(second.refreshToken != first.refreshToken && second.clientID == XSandbox.publicClientID)
    #expect(fixture.visits.map(\.isRenewal) == [true], "no request was sent with the old settings")
    // The account continues once it has the previous keys again.
    fixture.accountManager.adopt(Configuration(callback: CallbackSettings(port: 0), accounts: [fixture.account]))
    #expect(try await fixture.refresh().failure == nil)
    #expect(fixture.renewals.count == 1)
    await fixture.close()
  }

  @Test("a settings change that affects no request does not disturb a renewal")
  func sameGeneration() async throws {
    let fixture = try XFixture.ofX()
    fixture.time.pass(.seconds(7_201))
    var changed = fixture.account
    changed.refreshInterval = .seconds(300)
    let (accountManager, settings) = (fixture.accountManager, changed)
    fixture.onceDuringRenewal {
      accountManager.adopt(Configuration(callback: CallbackSettings(port: 0), accounts: [settings]))
      _ = try? accountManager.nextRefresh(of: settings)
    }
    #expect(try await fixture.refresh().failure == nil)
    #expect(fixture.visits.map(\.status) == [200, 200])
    await fixture.close()
  }

  @Test(
    "without the client's secret, a valid token is used until it expires, and then the missing secret is reported"
  )
  func noSecret() async throws {
    let fixture = try XFixture.ofX()
    let first = try fixture.token()
    var changed = fixture.account
    changed.credentials = .oauth2(
      clientID: XSandbox.publicClientID, clientSecret: .file(path: fixture.folder.path + "/missing"))
    fixture.accountManager.adopt(Configuration(callback: CallbackSettings(port: 0), accounts: [changed]))
    fixture.time.pass(.seconds(7_000))
    #expect(try #require(await fixture.accountManager.refreshed([changed]).first).failure == nil)
    fixture.time.pass(.seconds(300))
    let report = try #require(await fixture.accountManager.refreshed([changed]).first)
    #expect(report.failure?.kind == .configuration && report.failure?.message.contains("missing") == true)
    #expect(try fixture.published().head.problem?.code == .secretUnavailable)
    #expect(fixture.renewals.isEmpty && fixture.pages.count == 1)
    #expect(try fixture.token() == first)
    fixture.accountManager.adopt(Configuration(callback: CallbackSettings(port: 0), accounts: [fixture.account]))
    #expect(try await fixture.refresh().failure == nil)
    #expect(fixture.renewals.count == 1)
    await fixture.close()
  }

  @Test("a shutdown waits for a renewal in progress, and the new token is available at the next start")
  func ending() async throws {
    let fixture = try XFixture.ofX()
    let first = try fixture.token()
    fixture.time.pass(.seconds(7_201))
    fixture.play { $0.faults.add(.delay(.milliseconds(150)), to: XRoute.token.path) }
    let ended = DispatchGroup()
    ended.enter()
    let accountManager = fixture.accountManager
    fixture.onceDuringRenewal { accountManager.shutDown(grace: .seconds(600)) { ended.leave() } }
    guard case .notSent(_, .cancelled) = try await fixture.refresh().outcome else {
      Issue.record("the refresh continued")
      return
    }
    await withCheckedContinuation { done in ended.notify(queue: .global()) { done.resume() } }
    #expect(try fixture.token().refreshToken != first.refreshToken)
    #expect(!File.exists(fixture.files.token + ".next"))
    let next = fixture.nextAccountManager()
    #expect(try await fixture.refresh(next).failure == nil)
    #expect(fixture.renewals.count == 1)
    await withCheckedContinuation { done in next.shutDown { done.resume() } }
    fixture.server.stop()
  }

  @Test("a logout during a renewal revokes the new token")
  func logout() async throws {
    let fixture = try XFixture.ofX()
    fixture.time.pass(.seconds(7_201))
    let outcome = Locked<Result<LogoutReport, OperationError>?>(nil)
    let ended = DispatchGroup()
    ended.enter()
    let (accountManager, account) = (fixture.accountManager, fixture.account)
    fixture.onceDuringRenewal {
      do throws(OperationError) {
        try accountManager.logout(account) { result in
          outcome.withLock { $0 = result }
          ended.leave()
        }
      } catch { ended.leave() }
    }
    _ = try await fixture.refresh()
    await withCheckedContinuation { done in ended.notify(queue: .global()) { done.resume() } }
    guard case .success(.revoked)? = outcome.withLock({ $0 }) else {
      Issue.record("the token was not revoked")
      return
    }
    #expect(!File.exists(fixture.files.token) && !File.exists(fixture.files.token + ".next"))
    #expect(fixture.tokensAlive == 0)
    #expect(try fixture.published().head.problem?.code == .notAuthorised)
    await fixture.close()
  }
}
