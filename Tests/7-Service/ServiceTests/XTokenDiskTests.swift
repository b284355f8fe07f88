import Accounts
import Bytes
import Dispatch
import Folders
import Formats
import Glibc
import HTTP
import Platform
import Sandbox
import SandboxSupport
import Service
import Settings
import Storage
import StorageFiles
import StorageSQLite
import StorageTestSupport
import Testing
import Time
import Timeline

@Suite("A renewed X token that cannot be stored") struct XTokenDiskTests {
  @Test("a renewed token is not used before it is stored, and is stored as soon as possible")
  func disk() async throws {
    let fixture = try XFixture.ofX()
    let first = try fixture.token()
    fixture.time.pass(.seconds(7_201))
    let disk = fixture.breakDiskDuringRenewal()
    let report = try await fixture.refresh()
    #expect(report.failure?.kind == .inputOutput)
    #expect(fixture.visits.map(\.isRenewal) == [true], "no request is sent with a token that is not on disk")
    disk.mend()
    #expect(try fixture.token() == first)
    #expect(try await fixture.refresh().failure == nil)
    #expect(fixture.visits.map(\.isRenewal) == [true, false] && fixture.visits[1].status == 200)
    #expect(try fixture.token().accessToken != first.accessToken)
    await fixture.close()
  }

  @Test("a renewed token that could not be stored survives a reload")
  func diskAndReload() async throws {
    let fixture = try XFixture.ofX()
    fixture.time.pass(.seconds(7_201))
    let disk = fixture.breakDiskDuringRenewal()
    #expect(try await fixture.refresh().failure?.kind == .inputOutput)
    fixture.accountManager.adopt(fixture.accountManager.configuration)
    _ = try fixture.accountManager.nextRefresh(of: fixture.account)
    disk.mend()
    #expect(try await fixture.refresh().failure == nil)
    #expect(fixture.renewals.count == 1)
    await fixture.close()
  }

  @Test("a renewed token that could not be stored is stored at shutdown if possible")
  func diskAndEnd() async throws {
    let fixture = try XFixture.ofX()
    let first = try fixture.token()
    fixture.time.pass(.seconds(7_201))
    let disk = fixture.breakDiskDuringRenewal()
    #expect(try await fixture.refresh().failure?.kind == .inputOutput)
    disk.mend()
    await withCheckedContinuation { done in fixture.accountManager.shutDown { done.resume() } }
    let next = fixture.nextAccountManager()
    #expect(try await fixture.refresh(next).failure == nil)
    #expect(fixture.renewals.count == 1)
    #expect(try fixture.token().accessToken != first.accessToken)
    await withCheckedContinuation { done in next.shutDown { done.resume() } }
    fixture.server.stop()
  }

  @Test("a renewed token that could not be stored is discarded after a logout and a new login")
  func diskAndLogin() async throws {
    let fixture = try XFixture.ofX()
    fixture.time.pass(.seconds(7_201))
    let disk = fixture.breakDiskDuringRenewal()
    #expect(try await fixture.refresh().failure?.kind == .inputOutput)
    disk.mend()
    guard case .success = await fixture.accountManager.logOut(fixture.account) else {
      Issue.record("the logout failed")
      return
    }
    try fixture.authorise(as: XFixture.client, XFixture.flow)
    let token = try fixture.token()
    #expect(try await fixture.refresh().failure == nil)
    #expect(try fixture.token() == token)
    #expect(fixture.pages.map(\.token) == [token.accessToken.withExposedText { $0 }])
    await fixture.close()
  }

  @Test("a new login's token replaces a renewed token that could not be stored")
  func diskAndNewLogin() async throws {
    let fixture = try XFixture.ofX { $0.oauth2.policy.redirectMatch = .anyLoopbackPort }
    fixture.time.pass(.seconds(7_201))
    let disk = fixture.breakDiskDuringRenewal()
    #expect(try await fixture.refresh().failure?.kind == .inputOutput)
    disk.mend()
    try await fixture.accountManager.logIn(fixture.account).get()
    #expect(try await fixture.refresh().failure == nil)
    let token = try #require(try TokenStore(fixture.files).read())
    #expect(fixture.time.now - token.authorisedAt < .seconds(60), "the token is from the new login")
    #expect(fixture.renewals.count == 1)
    #expect(Set(fixture.pages.map(\.token)) == [token.grant.bearer?.accessToken.withExposedText { $0 }])
    await fixture.close()
  }

  @Test("a logout revokes a renewed token that could not be stored")
  func diskAndLogout() async throws {
    let fixture = try XFixture.ofX()
    let first = try fixture.token()
    fixture.time.pass(.seconds(7_201))
    let disk = fixture.breakDiskDuringRenewal()
    #expect(try await fixture.refresh().failure?.kind == .inputOutput)
    disk.mend()
    guard case .success(.revoked) = await fixture.accountManager.logOut(fixture.account) else {
      Issue.record("the token was not revoked")
      return
    }
    #expect(!File.exists(fixture.files.token))
    let revoked = fixture.visits.last { $0.path == XRoute.revocation.path }
    #expect(revoked?.account == "x" && revoked?.token != first.refreshToken?.withExposedText { $0 })
    #expect(fixture.tokensAlive == 0)
    await fixture.close()
  }
}

extension BearerFixture<XSandbox> {
  /// Replaces the account's folder with a file when the provider receives a renewal, so that nothing can be written.
  fileprivate func breakDiskDuringRenewal() -> BrokenDisk {
    let disk = BrokenDisk(folder: files.stateFolder)
    onceDuringRenewal { disk.breaks() }
    return disk
  }
}

/// A folder that is temporarily replaced by a file. Permissions would not be enough, because they do not restrict root.
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
