import Accounts
import Folders
import Platform
import Settings
import Storage
import StorageTestSupport
import TestSupport
import Testing

@testable import Service

/// How the account manager changes the form of stored tokens, whatever protects them.
@Suite struct TokenProtectionTests {
  private let folder = TemporaryFolder()
  private let protection = RecordedProtection()

  private func accountManager(_ storage: MemoryStorage, _ form: TokenProtection) throws -> AccountManager {
    protection.adopt(form)
    let folders = try #require(BaseDirectories(environment: ["HOME": folder.path]))
    return AccountManager(
      configuration: Configuration(accounts: [], protection: form), layout: FileLayout(folders), storage: storage,
      folders: folders, environment: [:], userAgent: "homeline-test", log: Log { _, _ in })
  }

  private func protect(_ accountManager: AccountManager) async -> Result<[String], OperationError> {
    await withCheckedContinuation { done in
      accountManager.protectTokens(tell: { _, _ in }, completion: { done.resume(returning: $0) })
    }
  }

  @Test("switching to plain files removes the key, and reports the tokens that still need it")
  func plain() async throws {
    let accountManager = try accountManager(MemoryStorage(protection: protection), .files)
    protection.content.withLock { $0.encrypted = ["/state/bird/token.json"] }
    #expect(try await protect(accountManager).get() == ["/state/bird/token.json"])
    #expect(protection.calls == ["adopt files", "remove key"])
    await accountManager.shutDown()
  }

  @Test("switching to encrypted tokens reads the key again, and keeps it")
  func encrypted() async throws {
    let accountManager = try accountManager(MemoryStorage(protection: protection), .keyring)
    #expect(try await protect(accountManager).get() == [])
    #expect(protection.calls == ["adopt keyring", "read key"])
    await accountManager.shutDown()
  }

  @Test("no token is changed while the key is unavailable")
  func locked() async throws {
    let accountManager = try accountManager(MemoryStorage(protection: protection), .keyring)
    protection.content.withLock { $0.failure = StorageError(.keyUnavailable, "the keyring is locked") }
    let result = await protect(accountManager)
    #expect(throws: OperationError.self) { try result.get() }
    #expect(protection.calls == ["adopt keyring", "read key"])
    await accountManager.shutDown()
  }

  @Test("new tokens are stored in the form that a reloaded configuration specifies")
  func reloaded() async throws {
    let accountManager = try accountManager(MemoryStorage(protection: protection), .files)
    accountManager.adopt(Configuration(accounts: [], protection: .keyring))
    #expect(protection.current == .keyring)
    await accountManager.shutDown()
  }

  @Test("storage that cannot encrypt tokens reports an error")
  func unsupported() async throws {
    let accountManager = try accountManager(MemoryStorage(), .files)
    let result = await protect(accountManager)
    let error = #expect(throws: OperationError.self) { try result.get() }
    #expect(error?.message == "this storage cannot encrypt tokens")
    await accountManager.shutDown()
  }
}

/// Records calls and uses no key.
private final class RecordedProtection: ProtectedStorage {
  struct Content {
    var form = TokenProtection.files
    var calls: [String] = []
    var failure: StorageError?
    /// The tokens that still need the key.
    var encrypted: [String] = []
  }

  let content = Locked(Content())

  var calls: [String] { content.withLock { $0.calls } }
  var current: TokenProtection { content.withLock { $0.form } }

  func adopt(_ protection: TokenProtection) {
    content.withLock {
      $0.form = protection
      $0.calls.append("adopt \(protection.rawValue)")
    }
  }

  func readKeyAgain() throws(StorageError) {
    let failure = content.withLock { content in
      content.calls.append("read key")
      return content.failure
    }
    if let failure { throw failure }
  }

  func onKeyAvailable(_ body: @escaping @Sendable () -> Void) {}

  func removeKey() throws(StorageError) -> [String] {
    content.withLock { content in
      content.calls.append("remove key")
      return content.encrypted
    }
  }
}
