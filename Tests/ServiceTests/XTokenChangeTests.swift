import CivilTime
import Dispatch
import Glibc
import HTTP
import HomelineOAuth
import Platform
import Publish
import Sandbox
import Service
import Settings
import Store
import Testing
import Timeline

@Suite("A token of X whose renewal something comes between") struct XTokenChangeTests {
  @Test("one that the disk does not take is not used before it is written, and written as soon as that goes")
  func disk() async throws {
    let house = try XHouse.ofX()
    let first = try house.token()
    house.time.pass(.seconds(7_201))
    let disk = house.breakDiskDuringRenewal()
    let report = try await house.refresh()
    #expect(report.failure?.kind == .inputOutput)
    #expect(house.visits.map(\.isRenewal) == [true], "nobody is asked with a token that is not on the disk")
    disk.mend()
    #expect(try house.token() == first)
    #expect(try await house.refresh().failure == nil)
    #expect(house.visits.map(\.isRenewal) == [true, false] && house.visits[1].status == 200)
    #expect(try house.token().accessToken != first.accessToken)
    await house.close()
  }

  @Test("one that the disk does not take outlives a reload")
  func diskAndReload() async throws {
    let house = try XHouse.ofX()
    house.time.pass(.seconds(7_201))
    let disk = house.breakDiskDuringRenewal()
    #expect(try await house.refresh().failure?.kind == .inputOutput)
    house.keeper.adopt(house.keeper.configuration)
    _ = try house.keeper.nextRefresh(of: house.account)
    disk.mend()
    #expect(try await house.refresh().failure == nil)
    #expect(house.renewals.count == 1)
    await house.close()
  }

  @Test("one that the disk does not take is written at the end, if it can be then")
  func diskAndEnd() async throws {
    let house = try XHouse.ofX()
    let first = try house.token()
    house.time.pass(.seconds(7_201))
    let disk = house.breakDiskDuringRenewal()
    #expect(try await house.refresh().failure?.kind == .inputOutput)
    disk.mend()
    await withCheckedContinuation { done in house.keeper.shutDown { done.resume() } }
    let next = house.nextKeeper()
    #expect(try await house.refresh(next).failure == nil)
    #expect(house.renewals.count == 1)
    #expect(try house.token().accessToken != first.accessToken)
    await withCheckedContinuation { done in next.shutDown { done.resume() } }
    house.server.stop()
  }

  @Test("one that the disk does not take is nothing any more after a logout and a new login")
  func diskAndLogin() async throws {
    let house = try XHouse.ofX()
    house.time.pass(.seconds(7_201))
    let disk = house.breakDiskDuringRenewal()
    #expect(try await house.refresh().failure?.kind == .inputOutput)
    disk.mend()
    guard case .success = await house.keeper.logOut(house.account) else {
      Issue.record("it was not logged out")
      return
    }
    try house.authorise(as: XHouse.client, XHouse.road)
    let token = try house.token()
    #expect(try await house.refresh().failure == nil)
    #expect(try house.token() == token)
    #expect(house.pages.map(\.token) == [token.accessToken.withExposedText { $0 }])
    await house.close()
  }

  @Test("one that the disk does not take makes room for that of a new login")
  func diskAndNewLogin() async throws {
    let house = try XHouse.ofX { $0.oauth2.policy.redirectMatch = .anyLoopbackPort }
    house.time.pass(.seconds(7_201))
    let disk = house.breakDiskDuringRenewal()
    #expect(try await house.refresh().failure?.kind == .inputOutput)
    disk.mend()
    try await house.keeper.logIn(house.account).get()
    #expect(try await house.refresh().failure == nil)
    let token = try #require(try TokenStore(house.files).read())
    #expect(house.time.now - token.authorisedAt < .seconds(60), "it is the login's, and not the one before it")
    #expect(house.renewals.count == 1)
    #expect(Set(house.pages.map(\.token)) == [token.grant.bearer?.accessToken.withExposedText { $0 }])
    await house.close()
  }

  @Test("a logout gives back what the disk did not take")
  func diskAndLogout() async throws {
    let house = try XHouse.ofX()
    let first = try house.token()
    house.time.pass(.seconds(7_201))
    let disk = house.breakDiskDuringRenewal()
    #expect(try await house.refresh().failure?.kind == .inputOutput)
    disk.mend()
    guard case .success(.revoked) = await house.keeper.logOut(house.account) else {
      Issue.record("it was not revoked")
      return
    }
    #expect(!File.exists(house.files.token))
    let revoked = house.visits.last { $0.path == XRoute.revocation.path }
    #expect(revoked?.account == "x" && revoked?.token != first.refreshToken?.withExposedText { $0 })
    #expect(house.tokensAlive == 0)
    await house.close()
  }

  @Test("other keys that come while a renewal is under way do not lose its answer")
  func reload() async throws {
    let house = try XHouse.ofX()
    let first = try house.token()
    house.time.pass(.seconds(7_201))
    var changed = house.account
    changed.credentials = .oauth2(
      clientID: XSandbox.confidentialClientID, clientSecret: .literal(Secret(XSandbox.confidentialClientSecret)))
    let (keeper, settings) = (house.keeper, changed)
    house.onceDuringRenewal {
      keeper.adopt(Configuration(callback: CallbackSettings(port: 0), accounts: [settings]))
      _ = try? keeper.nextRefresh(of: settings)
    }
    guard case .cancelled = try await house.refresh().outcome else {
      Issue.record("the round went on in a new generation")
      return
    }
    let second = try house.token()
    #expect(second.refreshToken != first.refreshToken && second.clientID == XSandbox.publicClientID)
    #expect(house.visits.map(\.isRenewal) == [true], "nobody was asked in the old generation's name")
    // With the former keys again it goes on.
    house.keeper.adopt(Configuration(callback: CallbackSettings(port: 0), accounts: [house.account]))
    #expect(try await house.refresh().failure == nil)
    #expect(house.renewals.count == 1)
    await house.close()
  }

  @Test("settings that ask nobody else change nothing about a renewal under way")
  func sameGeneration() async throws {
    let house = try XHouse.ofX()
    house.time.pass(.seconds(7_201))
    var changed = house.account
    changed.refreshInterval = .seconds(300)
    let (keeper, settings) = (house.keeper, changed)
    house.onceDuringRenewal {
      keeper.adopt(Configuration(callback: CallbackSettings(port: 0), accounts: [settings]))
      _ = try? keeper.nextRefresh(of: settings)
    }
    #expect(try await house.refresh().failure == nil)
    #expect(house.visits.map(\.status) == [200, 200])
    await house.close()
  }

  @Test("the end of the program waits for a renewal under way, and the next start has its token")
  func ending() async throws {
    let house = try XHouse.ofX()
    let first = try house.token()
    house.time.pass(.seconds(7_201))
    house.play { $0.faults.add(.delay(.milliseconds(150)), to: XRoute.token.path) }
    let ended = DispatchGroup()
    ended.enter()
    let keeper = house.keeper
    house.onceDuringRenewal { keeper.shutDown(grace: .seconds(600)) { ended.leave() } }
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

  @Test("a logout that is asked for while a renewal is under way gives the new token back")
  func logout() async throws {
    let house = try XHouse.ofX()
    house.time.pass(.seconds(7_201))
    let outcome = Locked<Result<LogoutReport, Failure>?>(nil)
    let ended = DispatchGroup()
    ended.enter()
    let (keeper, account) = (house.keeper, house.account)
    house.onceDuringRenewal {
      do throws(Failure) {
        try keeper.logout(account) { result in
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

extension BearerHouse<XSandbox> {
  /// Has something done once, while the provider works on the next renewal.
  fileprivate func onceDuringRenewal(_ body: @escaping @Sendable () -> Void) {
    let left = Locked(true)
    server.with {
      $0.beforeAnswer = { path in
        guard path == XRoute.token.path else { return }
        let isFirst = left.withLock { left in
          defer { left = false }
          return left
        }
        if isFirst { body() }
      }
    }
  }

  /// Has the account's folder turn into something that nothing can be written into, once the provider is asked for a renewal.
  fileprivate func breakDiskDuringRenewal() -> BrokenDisk {
    let disk = BrokenDisk(folder: files.stateFolder)
    onceDuringRenewal { disk.breaks() }
    return disk
  }

  /// How many access tokens still open something.
  fileprivate var tokensAlive: Int {
    let now = time.now
    return server.with { watched in
      watched.ends.keys.filter { token in
        guard let grant = watched.played.oauth2.grant(of: token) else { return false }
        return !watched.played.oauth2.isRevoked(grant) && grant.expiresAt.map { now < $0 } ?? true
      }.count
    }
  }
}

/// A folder in whose place a file lies for a while. Permissions would not do: they do not hold for everybody who runs tests.
private struct BrokenDisk: Sendable {
  let folder: String

  func breaks() {
    rename(folder, "\(folder)-aside")
    try? AtomicFile.write([], to: folder, .replaced)
  }

  func mend() {
    unlink(folder)
    rename("\(folder)-aside", folder)
  }
}
