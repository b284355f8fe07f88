package import Folders
package import Platform
package import Storage
package import Time

/// The token of one account, in `token.json`. Only the state owner writes it.
package struct TokenStore: TokenStorage {
  /// The maximum size of the file, which is far larger than a token.
  private static let sizeLimit = 65536

  private let path: String
  private let folder: String
  /// Encrypts and decrypts tokens; `nil` if all tokens are plain.
  private let vault: TokenVault?

  package init(_ files: AccountFiles, vault: TokenVault? = nil) {
    self.vault = vault
    path = files.token
    folder = files.stateFolder
  }

  /// Removes the reserved files and incomplete tokens of processes that have exited. Only the state owner may call this.
  package static func removeLeftovers(of files: AccountFiles) throws(SystemError) {
    try AtomicFile.removeLeftovers(of: files.token)
    if File.exists(files.stateFolder) { try ReservedToken.removeLeftovers(of: files.token, in: files.stateFolder) }
  }

  package var location: String { path }

  package var isPresent: Bool { File.exists(path) }

  package func read() throws(StorageError) -> StoredToken? {
    switch try content() {
    case nil: return nil
    case .plain(let token): return token
    case .sealed(let token): return try open(token)
    }
  }

  package func keyID() throws(StorageError) -> String? {
    if case .sealed(let token) = try content() { token.keyID } else { nil }
  }

  private enum Content {
    case plain(StoredToken)
    case sealed(SealedToken)
  }

  private func content() throws(StorageError) -> Content? {
    let bytes: [UInt8]
    do throws(PrivateFileError) {
      bytes = try TrustedFile.readPrivate(path, limit: Self.sizeLimit)
    } catch {
      if case .system(let error) = error, error.isNoEntry { return nil }
      throw StorageError(error)
    }
    do throws(StoredToken.FormatError) { return try Self.content(bytes) } catch { throw StorageError(error, at: path) }
  }

  /// Reads either form. The plain form is tried first, because most tokens are stored that way.
  private static func content(_ bytes: [UInt8]) throws(StoredToken.FormatError) -> Content {
    do throws(StoredToken.FormatError) { return .plain(try StoredToken(json: bytes)) } catch {
      guard case .newerSchema(SealedToken.schema) = error else { throw error }
      return .sealed(try SealedToken(json: bytes))
    }
  }

  private func open(_ token: SealedToken) throws(StorageError) -> StoredToken {
    guard let vault else {
      throw StorageError(.keyUnavailable, "\(path): the token is encrypted, and no keyring is in use")
    }
    let key = try vault.key(token.keyID, for: path)
    do throws(StoredToken.FormatError) { return try token.open(with: key) } catch {
      throw StorageError(error, at: path)
    }
  }

  package func load(at now: Timestamp) throws(StorageError) -> StoredToken? {
    do throws(StorageError) { return try read() } catch {
      guard error.kind == .damaged else { throw error }
      let aside = FreePath.beside(path, "corrupt", at: now)
      do throws(SystemError) {
        try File.rename(path, to: aside)
        try Folder.sync(folder)
      } catch { throw StorageError(error) }
      throw StorageError(corruptToken: path, error.detail ?? error.message, setAside: aside)
    }
  }

  package func reserve(at now: Timestamp) throws(StorageError) -> any TokenReservation {
    _ = try sealer()
    try prepareForNewToken(at: now)
    do throws(SystemError) {
      try Folder.create(folder)
      try ReservedToken.removeLeftovers(of: path, in: folder)
      return try ReservedToken(for: path, renewal, vault)
    } catch { throw StorageError(error) }
  }

  package func applyProtection() throws(StorageError) -> Bool {
    guard !File.exists(renewal.path) else {
      throw StorageError(.busy, "\(path): its renewal is not complete")
    }
    guard let content = try content() else { return false }
    let sealer = try sealer()
    switch content {
    case .plain(let token):
      guard sealer.keyID != nil else { return false }
      try write(token, sealer)
    case .sealed(let token):
      guard sealer.keyID != token.keyID else { return false }
      try write(try open(token), sealer)
    }
    return true
  }

  private func write(_ token: StoredToken, _ sealer: TokenSealer) throws(StorageError) {
    let bytes = try sealer.bytes(of: token)
    do throws(SystemError) { try AtomicFile.write(bytes, to: path, .synced) } catch { throw StorageError(error) }
  }

  /// Returns how tokens are now written. Call this before a request is sent to a provider, so that a locked keyring is
  /// noticed in time.
  private func sealer() throws(StorageError) -> TokenSealer { try vault?.sealer() ?? .plain }

  // MARK: Renewals

  package func recover(at now: Timestamp) throws(StorageError) -> TokenRecovery {
    let leftover: TokenRenewal.Leftover?
    do throws(PrivateFileError) { leftover = try renewal.leftover() } catch {
      throw StorageError(error)
    }
    switch leftover {
    case nil: return .nothing
    case .unanswered:
      renewal.remove()
      return .unanswered
    case .answered(let bytes):
      // A complete response can be recognised without a key, so a renewal is completed even while the keyring is locked.
      do throws(StoredToken.FormatError) { _ = try Self.content(bytes) } catch {
        try setAsideIncompleteRenewal(at: now)
      }
      // A rename is not enough: the process may have exited before the content was synced or the file truncated.
      do throws(SystemError) { try renewal.commit(bytes) } catch { throw StorageError(error) }
      return .completed
    }
  }

  package func received(after former: StoredToken, at now: Timestamp) throws(StorageError) -> StoredToken? {
    guard try recover(at: now) == .completed, let token = try load(at: now), token.grant != former.grant else {
      return nil
    }
    return token
  }

  package func reserveRenewal(of former: StoredToken) throws(StorageError) {
    try checkStored(former)
    _ = try sealer()
    do throws(SystemError) { try renewal.begin() } catch { throw StorageError(error) }
  }

  package func commitRenewal(_ token: StoredToken) throws(StorageError) {
    // The provider has used up the previous token, so this must not depend on the keyring.
    let bytes = try (vault?.lastSealer ?? .plain).bytes(of: token)
    do throws(SystemError) { try renewal.commit(bytes) } catch { throw StorageError(error) }
  }

  package func abandonRenewal() { renewal.remove() }

  package func note(_ refusal: RenewalRefusal, of token: StoredToken) throws(StorageError) {
    try checkStored(token)
    try write(token.withRefusal(refusal), try sealer())
  }

  private func checkStored(_ token: StoredToken) throws(StorageError) {
    guard let stored = try read(), stored.isSameLogin(as: token) else {
      throw StorageError(.outdated, "\(path): another process has replaced or removed the token")
    }
  }

  private var renewal: TokenRenewal { TokenRenewal(of: path) }

  /// Sets aside an incomplete response and the stored token. The stored token's refresh token has been used, and strict servers revoke all
  /// tokens if it is sent again (RFC 9700 §4.14.2).
  private func setAsideIncompleteRenewal(at now: Timestamp) throws(StorageError) -> Never {
    let aside = FreePath.beside(path, "corrupt", at: now)
    do throws(SystemError) {
      try File.rename(renewal.path, to: aside)
      if File.exists(path) { try File.rename(path, to: FreePath.beside(path, "used", at: now)) }
      try Folder.sync(folder)
    } catch { throw StorageError(error) }
    throw StorageError(corruptToken: path, "the response to its renewal is incomplete", setAside: aside)
  }

  package func remove(at now: Timestamp) throws(StorageError) {
    try prepareForNewToken(at: now)
    renewal.remove()
    guard File.exists(path) else { return }
    do throws(SystemError) {
      try File.remove(path)
      try Folder.sync(folder)
    } catch { throw StorageError(error) }
  }

  /// Prepares for a new token. Throws if the stored token is from a newer version. Sets the stored token aside if it is corrupt or
  /// its key is missing.
  private func prepareForNewToken(at now: Timestamp) throws(StorageError) {
    do throws(StorageError) { _ = try load(at: now) } catch {
      switch error.kind {
      case .damaged, .exposed: break
      case .keyMissing:
        do throws(SystemError) {
          try File.rename(path, to: FreePath.beside(path, "encrypted", at: now))
          try Folder.sync(folder)
        } catch { throw StorageError(error) }
      default: throw error
      }
    }
  }
}

extension StorageError {
  /// - Parameter aside: the new location of the file; `nil` if it was only read.
  fileprivate init(corruptToken path: String, _ reason: String, setAside aside: String?) {
    let found = "\(path): not a valid token: \(reason)"
    if let aside {
      self.init(.damaged, "\(found). It was moved to \(aside); log in again")
    } else {
      self.init(.damaged, found, detail: reason)
    }
  }

  fileprivate init(_ error: StoredToken.FormatError, at path: String) {
    switch error {
    case .newerSchema(let schema):
      self.init(
        .newerVersion,
        "\(path): written by a newer homeline (schema \(schema); this one supports up to \(SealedToken.schema))",
        hint: "Update homeline")
    case .unknownKind(let kind):
      self.init(.unknownKind, "\(path): a token of kind '\(kind)', which this version of homeline does not support")
    case .corrupt(let reason): self.init(corruptToken: path, reason, setAside: nil)
    }
  }
}
