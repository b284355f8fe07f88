internal import Bytes
internal import Cryptography
internal import Platform

/// An installation's keys in a secret store.
package struct TokenKeyring: Sendable {
  package let store: any SecretStore
  private let stateFolder: String

  /// - Parameter stateFolder: the absolute path of the installation's state folder.
  init(_ store: any SecretStore, stateFolder: String) {
    self.store = store
    self.stateFolder = stateFolder
  }

  /// The installation id: the first 64 bits of a hash of the state folder's path, in hexadecimal. It is computed only when the keyring is
  /// used: a process's first hash takes 5 million instructions in libcrypto, a third of what `homeline show` takes.
  private var instance: String {
    // The hash function does not fail in practice: TLS would not work without it.
    Hexadecimal.text(((try? SHA256.digest(of: Array(stateFolder.utf8))) ?? []).prefix(8))
  }

  /// Uses the keyring of the user's session.
  /// - Parameters:
  ///   - environment: the variables that name the session bus.
  ///   - startsProvider: whether the bus starts a keyring that is not running; see ``SecretService``.
  package init(session environment: [String: String], stateFolder: String, startsProvider: Bool) {
    self.init(
      SecretService(BusAddress(environment: environment), startsProvider: startsProvider), stateFolder: stateFolder)
  }

  /// Returns the key that encrypts new tokens.
  /// - Returns: the key; `nil` if there is none.
  /// - Throws: ``SecretStoreError/locked`` if the key may be in a locked part of the keyring.
  package func current() throws(SecretStoreError) -> TokenKey? {
    // Two processes may have created keys at the same time, but all processes must use the same key.
    try keys(.tokenKeys(of: instance)).min { $0.id < $1.id }
  }

  /// Returns a key by its id, whichever installation created it: the state folder may have been moved.
  /// - Returns: the key; `nil` if there is none.
  /// - Throws: ``SecretStoreError/locked`` if the key may be in a locked part of the keyring.
  package func key(_ id: String) throws(SecretStoreError) -> TokenKey? {
    try keys(.tokenKey(id), where: { $0.id == id }).first
  }

  /// Returns the key that encrypts new tokens, and creates it if there is none.
  package func makeCurrent() throws(SecretStoreError) -> TokenKey {
    if let key = try current() { return key }
    let key: TokenKey
    do throws(CryptographyError) { key = try TokenKey.random() } catch { throw .failed(error.description) }
    try store.add(key.text, .tokenKey(key.id, of: instance), label: "homeline: token key")
    // The key is read again, because a keyring that does not keep it must not be used.
    guard let kept = try current() else { throw .failed("it did not keep the new key") }
    return kept
  }

  /// Deletes this installation's keys. All data encrypted with these keys is lost.
  package func remove() throws(SecretStoreError) { try store.remove(.tokenKeys(of: instance)) }

  private func keys(
    _ attributes: SecretAttributes, where isWanted: (TokenKey) -> Bool = { _ in true }
  ) throws(SecretStoreError) -> [TokenKey] {
    let found = try store.secrets(with: attributes)
    let keys = found.secrets.compactMap { TokenKey($0) }.filter(isWanted)
    if keys.isEmpty, found.isLocked { throw .locked }
    return keys
  }
}
