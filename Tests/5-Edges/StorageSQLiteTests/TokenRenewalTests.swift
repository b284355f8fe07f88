import Bytes
import Folders
import Glibc
import Platform
import Storage
import StorageFiles
import StorageSQLite
import StorageTestSupport
import TestSupport
import Testing
import Time

@Suite("Token renewals on disk") struct TokenRenewalTests {
  private let folder = TemporaryFolder()
  private var home: StorageHome { StorageHome(folder) }
  private var store: TokenStore { TokenStore(home.files) }
  private var next: String { home.files.token + ".next" }

  private func names() throws -> [String] { try Folder.names(in: home.files.stateFolder).sorted() }

  private func authorise(_ name: String = "1") throws {
    try store.keep(renewable(name), at: noon)
  }

  private func access(_ token: StoredToken?) -> String? { token?.grant.bearer?.accessToken.withExposedText { $0 } }

  @Test("an abandoned renewal leaves only the old token behind")
  func refused() throws {
    try authorise()
    try store.reserveRenewal(of: renewable("1"))
    store.abandonRenewal()
    #expect(try names() == ["token.json"])
    #expect(try store.recover(at: noon) == .nothing)
    #expect(access(try store.load(at: noon)) == "access-1")
  }

  @Test("after a kill before the renewal response arrives, the old token remains the current one")
  func unanswered() async throws {
    try authorise()
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      try TokenStore(StorageHome(path).files).reserveRenewal(of: renewable("1"))
      kill(getpid(), SIGKILL)
    }
    #expect(try names() == ["token.json", "token.json.next"])
    #expect(try store.recover(at: noon) == .unanswered)
    #expect(access(try store.load(at: noon)) == "access-1")
    #expect(try names() == ["token.json"])
  }

  @Test("a full disk is detected before the renewal request, and the token remains valid")
  func fullDisk() async throws {
    try authorise()
    let path = folder.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      limitFileSize(to: 1000)
      let store = TokenStore(StorageHome(path).files)
      #expect(throws: StorageError.self) { try store.reserveRenewal(of: renewable("1")) }
    }
    #expect(try names() == ["token.json"])
    #expect(access(try store.load(at: noon)) == "access-1")
  }

  @Test("a renewal response is stored even if its reserved file was deleted in the meantime")
  func vanished() throws {
    try authorise()
    try store.reserveRenewal(of: renewable("1"))
    try File.remove(next)
    try store.commitRenewal(renewable("2"))
    #expect(access(try store.load(at: noon)) == "access-2")
    #expect(try names() == ["token.json"])
  }

  @Test("a renewal file that other users can read is refused")
  func readable() throws {
    try authorise()
    try store.reserveRenewal(of: renewable("1"))
    chmod(next, 0o644)
    #expect(throws: StorageError.self) { try store.recover(at: noon) }
  }
}
