import Folders
import Glibc
import KeyringTestSupport
import Platform
import Settings
import Storage
import StorageTestSupport
import TestSupport
import Testing
import Time

@testable import Keyring
@testable import StorageFiles
@testable import StorageSQLite

/// Tokens encrypted with a key in a keyring.
@Suite struct SealedTokenTests {
  private let folder = TemporaryFolder()
  private let keyring = MemorySecretStore()
  private var home: StorageHome { StorageHome(folder) }
  private var keys: TokenKeyring { TokenKeyring(keyring, stateFolder: home.layout.stateFolder) }
  private var next: String { home.files.token + ".next" }

  /// Returns a store as a new process would open it.
  private func store(_ protection: TokenProtection = .keyring) -> TokenStore {
    TokenStore(home.files, vault: TokenVault(keys, protection: protection, retryInterval: .zero))
  }

  private func content(_ path: String? = nil) throws -> String {
    String(decoding: try File.read(path ?? home.files.token, limit: 65536), as: UTF8.self)
  }

  private func names() throws -> [String] { try Folder.names(in: home.files.stateFolder).sorted() }

  @Test("an encrypted token is read back unchanged, and its file reveals neither secrets nor names")
  func sealing() throws {
    _ = try keys.makeCurrent()
    try store().keep(renewable("1"), at: noon)
    #expect(try store().load(at: noon) == renewable("1"))
    let text = try content()
    for part in ["access-1", "refresh", "\"ann\"", "screen_name", "server"] { #expect(!text.contains(part)) }
    #expect(text.contains("\"schema\": 2"))
    #expect(try permissions(home.files.token) == 0o600)
    #expect(try names() == ["token.json"])
  }

  @Test("encrypting the same token twice yields different results")
  func nonces() throws {
    _ = try keys.makeCurrent()
    try store().keep(renewable("1"), at: noon)
    let first = try content()
    try store().keep(renewable("1"), at: noon)
    #expect(try content() != first)
  }

  @Test(
    "a renewed token is encrypted in both of the renewal's files, and recovered like an unencrypted one")
  func renewal() throws {
    _ = try keys.makeCurrent()
    try store().keep(renewable("1"), at: noon)
    let owner = store()
    try owner.reserveRenewal(of: renewable("1"))
    #expect(try store().recover(at: noon) == .unanswered)
    try owner.reserveRenewal(of: renewable("1"))
    try owner.commitRenewal(renewable("2"))
    #expect(try store().load(at: noon) == renewable("2"))
    #expect(try !content().contains("access"))
    #expect(try names() == ["token.json"])
  }

  /// Leaves the state of a process killed after it had written a renewed token but before it renamed the file.
  private func leaveResponse(zeros: Int) throws {
    _ = try keys.makeCurrent()
    try store().keep(renewable("2"), at: noon)
    let response = try File.read(home.files.token, limit: 65536)
    try store().keep(renewable("1"), at: noon)
    try store().reserveRenewal(of: renewable("1"))
    try AtomicFile.write(response + [UInt8](repeating: 0, count: zeros), to: next, .replaced)
  }

  @Test("a received token is stored even while the keyring is locked", arguments: [0, 700])
  func lockedRecovery(zeros: Int) throws {
    try leaveResponse(zeros: zeros)
    keyring.failure = .locked
    #expect(try store().recover(at: noon) == .completed)
    #expect(try names() == ["token.json"])
    keyring.failure = nil
    #expect(try store().load(at: noon) == renewable("2"))
  }

  @Test("an interrupted encrypted response is set aside with the previous token")
  func interrupted() throws {
    try leaveResponse(zeros: 0)
    let whole = try File.read(next, limit: 65536)
    for count in stride(from: 1, to: whole.count - 2, by: 37) {
      let home = StorageHome(TemporaryFolder())
      let store = TokenStore(home.files, vault: TokenVault(keys, protection: .keyring))
      try store.keep(renewable("1"), at: noon)
      try AtomicFile.write(Array(whole.prefix(count)), to: home.files.token + ".next", .replaced)
      let error = #expect(throws: StorageError.self) { try store.recover(at: noon) }
      #expect(error?.kind == .damaged)
      #expect(!File.exists(home.files.token), "the former token has been used")
    }
  }

  @Test("a locked keyring, a missing token and a missing key each cause a different error")
  func unavailable() throws {
    _ = try keys.makeCurrent()
    try store().keep(renewable("1"), at: noon)
    for failure in [SecretStoreError.locked, .noProvider, .noBus("gone"), .timedOut, .noKeyring] {
      keyring.failure = failure
      let store = store()
      #expect(store.isPresent)
      for read in [{ try store.read() }, { try store.load(at: noon) }] {
        let error = #expect(throws: StorageError.self) { _ = try read() }
        #expect(error?.kind == .keyUnavailable)
        #expect(error?.message == failure.description)
      }
    }
    keyring.failure = nil
    keyring.removeAll()
    let error = #expect(throws: StorageError.self) { try store().load(at: noon) }
    #expect(error?.kind == .keyMissing)
    #expect(try names() == ["token.json"], "the file is not set aside, because the key may be restored")
  }

  @Test("while the keyring is locked, no login or renewal begins, and nothing is written unencrypted")
  func lockedWriting() throws {
    _ = try keys.makeCurrent()
    try store().keep(renewable("1"), at: noon)
    let before = try content()
    keyring.failure = .locked
    for begin in [{ _ = try store().reserve(at: noon) }, { try store().reserveRenewal(of: renewable("1")) }] {
      let error = #expect(throws: StorageError.self) { try begin() }
      #expect(error?.kind == .keyUnavailable)
    }
    #expect(try content() == before)
    #expect(try names() == ["token.json"])
  }

  @Test("a renewal that began before the keyring was locked is encrypted and stored")
  func lockedMeanwhile() throws {
    _ = try keys.makeCurrent()
    let owner = store()
    try owner.keep(renewable("1"), at: noon)
    try owner.reserveRenewal(of: renewable("1"))
    keyring.failure = .locked
    try owner.commitRenewal(renewable("2"))
    #expect(try owner.load(at: noon) == renewable("2"), "the key was read before")
    keyring.failure = nil
    #expect(try store().load(at: noon) == renewable("2"))
    #expect(try !content().contains("access"))
  }

  @Test(
    "a renewal that began unencrypted is stored, even if the configuration now requires a keyring that is locked")
  func changedMeanwhile() throws {
    let vault = TokenVault(keys, protection: .files, retryInterval: .zero)
    let owner = TokenStore(home.files, vault: vault)
    try owner.keep(renewable("1"), at: noon)
    try owner.reserveRenewal(of: renewable("1"))
    keyring.failure = .locked
    vault.adopt(.keyring)
    try owner.commitRenewal(renewable("2"))
    #expect(try owner.load(at: noon) == renewable("2"))
    #expect(throws: StorageError.self) { try owner.reserveRenewal(of: renewable("2")) }
  }

  @Test("no token is written if the keyring has no key")
  func withoutKey() throws {
    let error = #expect(throws: StorageError.self) { try store().reserve(at: noon) }
    #expect(error?.kind == .keyMissing)
    #expect(error?.description.hasSuffix("Run: homeline keyring enable") == true)
  }

  @Test("a login replaces a token whose key is lost, and keeps the old token file")
  func lostKey() throws {
    _ = try keys.makeCurrent()
    try store().keep(renewable("1"), at: noon)
    keyring.removeAll()
    _ = try keys.makeCurrent()
    try store().keep(renewable("2"), at: noon)
    #expect(try store().load(at: noon) == renewable("2"))
    #expect(try names().contains { $0.hasPrefix("token.json.encrypted-") })
  }

  @Test("changing the protection setting encrypts or decrypts a stored token only once")
  func migration() throws {
    _ = try keys.makeCurrent()
    try store(.files).keep(renewable("1"), at: noon)
    #expect(try content().contains("access-1"))
    #expect(try store().applyProtection())
    #expect(try !content().contains("access-1"))
    #expect(try !store().applyProtection())
    #expect(try store(.files).load(at: noon) == renewable("1"), "an encrypted token is readable whatever is configured")
    #expect(try store(.files).applyProtection())
    #expect(try content().contains("access-1"))
    #expect(try !store(.files).applyProtection())
    #expect(try names() == ["token.json"])
  }

  @Test("when the key is replaced, stored tokens are encrypted again with the new one")
  func otherKey() throws {
    let first = try keys.makeCurrent()
    try store().keep(renewable("1"), at: noon)
    let second = try TokenKeyring(keyring, stateFolder: "/elsewhere").makeCurrent()
    let moved = TokenStore(
      home.files,
      vault: TokenVault(TokenKeyring(keyring, stateFolder: "/elsewhere"), protection: .keyring, retryInterval: .zero))
    #expect(try moved.load(at: noon) == renewable("1"), "the key is found by its id")
    #expect(try moved.applyProtection())
    #expect(try content().contains(second.id))
    #expect(try !content().contains(first.id))
  }

  @Test("a process that uses a replaced key switches to the new key once it has read it")
  func replacedKey() throws {
    let former = try keys.makeCurrent()
    let vault = TokenVault(keys, protection: .keyring, retryInterval: .zero)
    let owner = TokenStore(home.files, vault: vault)
    try owner.keep(renewable("1"), at: noon)
    keyring.removeAll()
    #expect(throws: StorageError.self) { try vault.readKeyAgain() }
    #expect(try owner.applyProtection() == false, "the known key stays in use")
    let new = try keys.makeCurrent()
    try vault.readKeyAgain()
    #expect(try owner.applyProtection())
    #expect(try owner.keyID() == new.id && new.id != former.id)
    #expect(try store().load(at: noon) == renewable("1"))
  }

  @Test("without a token, nothing is encrypted, with or without a keyring")
  func nothing() throws {
    keyring.failure = .locked
    #expect(try !store().applyProtection())
    #expect(try store().keyID() == nil)
  }

  @Test("a token with any byte changed is set aside as corrupt")
  func changes() throws {
    _ = try keys.makeCurrent()
    try store().keep(renewable("1"), at: noon)
    let whole = try content()
    for member in ["account", "nonce", "ciphertext"] {
      let start = try #require(whole.range(after: "\"\(member)\": \""))
      var bytes = Array(whole.utf8)
      bytes[start] = bytes[start] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      try AtomicFile.write(bytes, to: home.files.token, .replaced)
      let error = #expect(throws: StorageError.self) { try store().read() }
      #expect(error?.kind == .damaged, "\(member)")
    }
  }

  @Test("an encrypted token remains readable after its account is renamed and its folder moved")
  func rename() throws {
    _ = try keys.makeCurrent()
    try store().keep(renewable("1"), at: noon)
    let other = home.layout.files(of: "robin")
    try File.rename(home.files.stateFolder, to: other.stateFolder)
    let moved = TokenStore(other, vault: TokenVault(keys, protection: .keyring))
    #expect(try moved.load(at: noon) == renewable("1"))
  }

  @Test("removing an encrypted token leaves no files behind")
  func removal() throws {
    _ = try keys.makeCurrent()
    try store().keep(renewable("1"), at: noon)
    try store().remove(at: noon)
    #expect(try names() == [])
  }

  @Test("the key is kept until no encrypted token is left, including those that were set aside")
  func keyRemoval() throws {
    _ = try keys.makeCurrent()
    let storage = FileStorage(home.layout, vault: TokenVault(keys, protection: .files, retryInterval: .zero))
    try store().keep(renewable("1"), at: noon)
    let protection = try #require(storage.protection)
    #expect(try protection.removeKey() == [home.files.token])
    let aside = try home.files.setAside(userID: "7", at: noon)
    #expect(try protection.removeKey() == ["\(aside[0])/token.json"])
    #expect(keyring.count == 1)
    try File.remove("\(aside[0])/token.json")
    #expect(try protection.removeKey() == [])
    #expect(keyring.count == 0)
  }

  @Test("an unavailable keyring is not accessed again for every account, and is retried automatically")
  func retrying() async throws {
    _ = try keys.makeCurrent()
    try store().keep(renewable("1"), at: noon)
    keyring.failure = .locked
    let vault = TokenVault(keys, protection: .keyring, retryInterval: .milliseconds(100))
    let isAvailable = Locked(false)
    vault.onKeyAvailable { isAvailable.withLock { $0 = true } }
    let locked = TokenStore(home.files, vault: vault)
    let before = keyring.calls
    for _ in 0..<50 { #expect(throws: StorageError.self) { try locked.read() } }
    #expect(keyring.calls < before + 50)
    #expect(try await eventually { keyring.calls > before + 3 })
    #expect(!isAvailable.withLock { $0 })
    keyring.failure = nil
    #expect(try await eventually { isAvailable.withLock { $0 } })
    #expect(try locked.read() == renewable("1"))
  }

  @Test("a store without a keyring reports an encrypted token and keeps it")
  func withoutVault() throws {
    _ = try keys.makeCurrent()
    try store().keep(renewable("1"), at: noon)
    let error = #expect(throws: StorageError.self) { try TokenStore(home.files).load(at: noon) }
    #expect(error?.kind == .keyUnavailable)
    #expect(try names() == ["token.json"])
  }
}

extension String {
  /// Returns the UTF-8 offset of the text that follows another text.
  fileprivate func range(after text: String) -> Int? {
    let (bytes, wanted) = (Array(utf8), Array(text.utf8))
    return (0...(bytes.count - wanted.count)).first { bytes[$0...].starts(with: wanted) }.map { $0 + wanted.count }
  }
}
