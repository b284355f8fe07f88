import CivilTime
import Dispatch
import Files
import HTTP
import HomelineOAuth
import Platform
import Publish
import Sandbox
import SandboxSupport
import Service
import Settings
import Storage
import TestSupport
import Testing
import Timeline

@Suite("Events during a token renewal of X") struct XTokenChangeTests {
  @Test("new keys during a renewal do not lose its response")
  func reload() async throws {
    let house = try XHouse.ofX()
    let first = try house.token()
    house.time.pass(.seconds(7_201))
    var changed = house.account
    changed.credentials = .oauth2(
      clientID: XSandbox.confidentialClientID, clientSecret: .literal(Secret(XSandbox.confidentialClientSecret)))
    let (accountManager, settings) = (house.accountManager, changed)
    house.onceDuringRenewal {
      accountManager.adopt(Configuration(callback: CallbackSettings(port: 0), accounts: [settings]))
      _ = try? accountManager.nextRefresh(of: settings)
    }
    guard case .cancelled = try await house.refresh().outcome else {
      Issue.record("the round went on in a new generation")
      return
    }
    let second = try house.token()
    #expect(second.refreshToken != first.refreshToken && second.clientID == XSandbox.publicClientID)
    #expect(house.visits.map(\.isRenewal) == [true], "nobody was asked in the old generation's name")
    // With the former keys again it goes on.
    house.accountManager.adopt(Configuration(callback: CallbackSettings(port: 0), accounts: [house.account]))
    #expect(try await house.refresh().failure == nil)
    #expect(house.renewals.count == 1)
    await house.close()
  }

  @Test("a change of settings that affects no request does not disturb a renewal")
  func sameGeneration() async throws {
    let house = try XHouse.ofX()
    house.time.pass(.seconds(7_201))
    var changed = house.account
    changed.refreshInterval = .seconds(300)
    let (accountManager, settings) = (house.accountManager, changed)
    house.onceDuringRenewal {
      accountManager.adopt(Configuration(callback: CallbackSettings(port: 0), accounts: [settings]))
      _ = try? accountManager.nextRefresh(of: settings)
    }
    #expect(try await house.refresh().failure == nil)
    #expect(house.visits.map(\.status) == [200, 200])
    await house.close()
  }

  @Test(
    "without the client's secret a valid token is still used, and then the missing secret is reported"
  )
  func noSecret() async throws {
    let house = try XHouse.ofX()
    let first = try house.token()
    var changed = house.account
    changed.credentials = .oauth2(
      clientID: XSandbox.publicClientID, clientSecret: .file(path: house.folder.path + "/missing"))
    house.accountManager.adopt(Configuration(callback: CallbackSettings(port: 0), accounts: [changed]))
    house.time.pass(.seconds(7_000))
    #expect(try #require(await house.accountManager.refreshed([changed]).first).failure == nil)
    house.time.pass(.seconds(300))
    let report = try #require(await house.accountManager.refreshed([changed]).first)
    #expect(report.failure?.kind == .configuration && report.failure?.message.contains("missing") == true)
    #expect(try house.published().head.problem?.code == .secretUnavailable)
    #expect(house.renewals.isEmpty && house.pages.count == 1)
    #expect(try house.token() == first)
    house.accountManager.adopt(Configuration(callback: CallbackSettings(port: 0), accounts: [house.account]))
    #expect(try await house.refresh().failure == nil)
    #expect(house.renewals.count == 1)
    await house.close()
  }

  @Test("shutdown waits for a renewal in progress, and the next start has its token")
  func ending() async throws {
    let house = try XHouse.ofX()
    let first = try house.token()
    house.time.pass(.seconds(7_201))
    house.play { $0.faults.add(.delay(.milliseconds(150)), to: XRoute.token.path) }
    let ended = DispatchGroup()
    ended.enter()
    let accountManager = house.accountManager
    house.onceDuringRenewal { accountManager.shutDown(grace: .seconds(600)) { ended.leave() } }
    guard case .cancelled = try await house.refresh().outcome else {
      Issue.record("the round went on")
      return
    }
    await withCheckedContinuation { done in ended.notify(queue: .global()) { done.resume() } }
    #expect(try house.token().refreshToken != first.refreshToken)
    #expect(!File.exists(house.files.token + ".next"))
    let next = house.nextKeeper()
    #expect(try await house.refresh(next).failure == nil)
    #expect(house.renewals.count == 1)
    await withCheckedContinuation { done in next.shutDown { done.resume() } }
    house.server.stop()
  }

  @Test("a logout during a renewal revokes the new token")
  func logout() async throws {
    let house = try XHouse.ofX()
    house.time.pass(.seconds(7_201))
    let outcome = Locked<Result<LogoutReport, Failure>?>(nil)
    let ended = DispatchGroup()
    ended.enter()
    let (accountManager, account) = (house.accountManager, house.account)
    house.onceDuringRenewal {
      do throws(Failure) {
        try accountManager.logout(account) { result in
          outcome.withLock { $0 = result }
          ended.leave()
        }
      } catch { ended.leave() }
    }
    _ = try await house.refresh()
    await withCheckedContinuation { done in ended.notify(queue: .global()) { done.resume() } }
    guard case .success(.revoked)? = outcome.withLock({ $0 }) else {
      Issue.record("it was not revoked")
      return
    }
    #expect(!File.exists(house.files.token) && !File.exists(house.files.token + ".next"))
    #expect(house.tokensAlive == 0)
    #expect(try house.published().head.problem?.code == .notAuthorised)
    await house.close()
  }
}
