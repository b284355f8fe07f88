internal import Dispatch
package import Keyring
internal import Platform
package import Settings
internal import Storage

/// The keys that encrypt and decrypt this installation's tokens. Each key is read from the keyring when first needed, and then kept, so
/// that a token can be renewed even after the keyring has been locked again.
///
/// After a failure, the keyring is not accessed for a few seconds, because all accounts would otherwise wait for it.
// Sendable because all mutable state is accessed only on `queue`.
package final class TokenVault: @unchecked Sendable {
  /// The pause before an unusable keyring is tried again.
  static let retryInterval = Duration.seconds(5)

  /// The queue that waits for the keyring. Account queues may wait for this queue, but it never waits for them.
  private let queue = DispatchQueue(label: "homeline.keyring")
  private let keyring: TokenKeyring
  private let retryInterval: Duration
  private var wantedProtection: TokenProtection
  private var keys: [String: TokenKey] = [:]
  private var current: TokenKey?
  /// The form that ``sealer()`` returned last.
  private var latest = TokenSealer.plain
  private var failure: (error: StorageError, at: BootInstant)?
  /// The ids of keys that could not be read; `nil` means the current key.
  private var wanted: Set<String?> = []
  private var onKeyAvailable: ClosureBox<@Sendable () -> Void>?
  private var alarm: Alarm?
  /// The queue that `onKeyAvailable` is called on, because it may wait for queues that wait for the vault.
  private let callbacks = DispatchQueue(label: "homeline.keyring.available")

  package init(
    _ keyring: TokenKeyring, protection: TokenProtection, retryInterval: Duration = TokenVault.retryInterval
  ) {
    self.keyring = keyring
    wantedProtection = protection
    self.retryInterval = retryInterval
  }

  /// Writes tokens in this form from now on. Until the key has been read, tokens are still written in the previous form.
  func adopt(_ protection: TokenProtection) {
    queue.sync {
      wantedProtection = protection
      failure = nil
    }
  }

  /// How tokens should be written.
  var protection: TokenProtection { queue.sync { wantedProtection } }

  /// Rereads the key for new tokens from the keyring, because the user may have replaced it.
  /// - Throws: `.keyUnavailable` or `.keyMissing`. The known key then remains in use.
  func readKeyAgain() throws(StorageError) {
    try onQueue { vault throws(StorageError) in
      let known = vault.current
      vault.current = nil
      vault.failure = nil
      do throws(StorageError) { _ = try vault.currentKey() } catch {
        vault.current = known
        throw error
      }
    }
  }

  /// Calls back, on one of the vault's queues, whenever the keyring becomes usable again after a failure.
  func onKeyAvailable(_ body: @escaping @Sendable () -> Void) { queue.sync { onKeyAvailable = ClosureBox(body) } }

  /// Returns how tokens should now be written.
  /// - Throws: `.keyUnavailable`, or `.keyMissing` if there is no key yet.
  func sealer() throws(StorageError) -> TokenSealer {
    try onQueue { vault throws(StorageError) in
      switch vault.wantedProtection {
      case .files: vault.latest = .plain
      case .keyring: vault.latest = TokenSealer(key: try vault.currentKey())
      }
      return vault.latest
    }
  }

  /// The form that ``sealer()`` returned last. Does not access the keyring.
  var lastSealer: TokenSealer { queue.sync { latest } }

  /// Returns the key of an encrypted token.
  /// - Parameter path: the token's file, for the error.
  /// - Throws: `.keyUnavailable` or `.keyMissing`.
  func key(_ id: String, for path: String) throws(StorageError) -> TokenKey {
    try onQueue { vault throws(StorageError) in
      if let key = try vault.find(id) { return key }
      throw StorageError(
        .keyMissing, "\(path): the keyring does not have the key \(id) that the token is encrypted with",
        hint: "Restore that key, or log in again")
    }
  }

  /// Deletes this installation's keys.
  func removeKeys() throws(StorageError) {
    try onQueue { vault throws(StorageError) in
      do throws(SecretStoreError) { try vault.keyring.remove() } catch { throw StorageError(error) }
      vault.current = nil
      vault.keys = [:]
    }
  }

  private func currentKey() throws(StorageError) -> TokenKey {
    if let key = try find(nil) { return key }
    throw StorageError(
      .keyMissing, "the keyring has no key for this installation", hint: "Run: homeline keyring enable")
  }

  /// Returns a key. If the key is known or the keyring has just failed, the keyring is not accessed.
  /// - Parameter id: `nil` for the current key.
  /// - Returns: `nil` if the keyring does not contain it.
  private func find(_ id: String?) throws(StorageError) -> TokenKey? {
    if let known = id.map({ keys[$0] }) ?? current { return known }
    if let failure, failure.at + retryInterval > .now { throw failure.error }
    do throws(SecretStoreError) {
      let key = if let id { try keyring.key(id) } else { try keyring.current() }
      failure = nil
      guard let key else {
        retryLater(id)
        return nil
      }
      if id == nil { current = key }
      keys[key.id] = key
      return key
    } catch {
      let error = StorageError(error)
      failure = (error, .now)
      retryLater(id)
      throw error
    }
  }

  private func retryLater(_ id: String?) {
    wanted.insert(id)
    guard onKeyAvailable != nil else { return }
    if alarm == nil { alarm = try? Alarm(on: queue) { [weak self] in self?.retry() } }
    alarm?.set(.now + retryInterval)
  }

  /// Looks for the missing keys again. If the lookup of the first key shows that the keyring cannot be used, it is not accessed for the
  /// other keys.
  private func retry() {
    failure = nil
    let missing = wanted
    wanted = []
    var hasFound = false
    // A key that is still missing is looked for again later.
    for id in missing where (try? find(id)) != nil { hasFound = true }
    if hasFound, let onKeyAvailable { callbacks.async { onKeyAvailable.call() } }
  }

  private func onQueue<Value>(_ body: (TokenVault) throws(StorageError) -> Value) throws(StorageError) -> Value {
    try queue.sync { Result { () throws(StorageError) in try body(self) } }.get()
  }
}

extension StorageError {
  init(_ error: SecretStoreError) { self.init(.keyUnavailable, error.description) }
}
