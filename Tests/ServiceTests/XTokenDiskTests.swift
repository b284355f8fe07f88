import CivilTime
import Dispatch
import Files
import Glibc
import HTTP
import HomelineOAuth
import Platform
import Publish
import Sandbox
import SandboxSupport
import Service
import Settings
import Storage
import StorageSQLite
import StorageTestSupport
import Testing
import Timeline

@Suite("A renewed token of X that cannot be stored") struct XTokenDiskTests {
  @Test("is not used before it is stored, and is stored as soon as possible")
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

  @Test("survives a reload")
  func diskAndReload() async throws {
    let house = try XHouse.ofX()
    house.time.pass(.seconds(7_201))
    let disk = house.breakDiskDuringRenewal()
    #expect(try await house.refresh().failure?.kind == .inputOutput)
    house.accountManager.adopt(house.accountManager.configuration)
    _ = try house.accountManager.nextRefresh(of: house.account)
    disk.mend()
    #expect(try await house.refresh().failure == nil)
    #expect(house.renewals.count == 1)
    await house.close()
  }

  @Test("is stored at shutdown if possible")
  func diskAndEnd() async throws {
    let house = try XHouse.ofX()
    let first = try house.token()
    house.time.pass(.seconds(7_201))
    let disk = house.breakDiskDuringRenewal()
    #expect(try await house.refresh().failure?.kind == .inputOutput)
    disk.mend()
    await withCheckedContinuation { done in house.accountManager.shutDown { done.resume() } }
    let next = house.nextKeeper()
    #expect(try await house.refresh(next).failure == nil)
    #expect(house.renewals.count == 1)
    #expect(try house.token().accessToken != first.accessToken)
    await withCheckedContinuation { done in next.shutDown { done.resume() } }
    house.server.stop()
  }

  @Test("is discarded after a logout and a new login")
  func diskAndLogin() async throws {
    let house = try XHouse.ofX()
    house.time.pass(.seconds(7_201))
    let disk = house.breakDiskDuringRenewal()
    #expect(try await house.refresh().failure?.kind == .inputOutput)
    disk.mend()
    guard case .success = await house.accountManager.logOut(house.account) else {
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

  @Test("is replaced by the token of a new login")
  func diskAndNewLogin() async throws {
    let house = try XHouse.ofX { $0.oauth2.policy.redirectMatch = .anyLoopbackPort }
    house.time.pass(.seconds(7_201))
    let disk = house.breakDiskDuringRenewal()
    #expect(try await house.refresh().failure?.kind == .inputOutput)
    disk.mend()
    try await house.accountManager.logIn(house.account).get()
    #expect(try await house.refresh().failure == nil)
    let token = try #require(try TokenStore(house.files).read())
    #expect(house.time.now - token.authorisedAt < .seconds(60), "it is the login's, and not the one before it")
    #expect(house.renewals.count == 1)
    #expect(Set(house.pages.map(\.token)) == [token.grant.bearer?.accessToken.withExposedText { $0 }])
    await house.close()
  }

  @Test("is revoked by a logout")
  func diskAndLogout() async throws {
    let house = try XHouse.ofX()
    let first = try house.token()
    house.time.pass(.seconds(7_201))
    let disk = house.breakDiskDuringRenewal()
    #expect(try await house.refresh().failure?.kind == .inputOutput)
    disk.mend()
    guard case .success(.revoked) = await house.accountManager.logOut(house.account) else {
      Issue.record("it was not revoked")
      return
    }
    #expect(!File.exists(house.files.token))
    let revoked = house.visits.last { $0.path == XRoute.revocation.path }
    #expect(revoked?.account == "x" && revoked?.token != first.refreshToken?.withExposedText { $0 })
    #expect(house.tokensAlive == 0)
    await house.close()
  }
}

extension BearerHouse<XSandbox> {
  /// Has the account's folder turn into something that nothing can be written into, once the provider is asked for a renewal.
  fileprivate func breakDiskDuringRenewal() -> BrokenDisk {
    let disk = BrokenDisk(folder: files.stateFolder)
    onceDuringRenewal { disk.breaks() }
    return disk
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
