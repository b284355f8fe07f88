package import CivilTime
package import Files
internal import Platform
package import Storage

/// The token of one account, in `token.json`. Only the owner of the state writes it.
package struct TokenStore: TokenStorage {
  /// Far larger than any token.
  private static let sizeLimit = 65536

  private let path: String
  private let folder: String

  package init(_ files: AccountFiles) {
    path = files.token
    folder = files.stateFolder
  }

  package var location: String { path }

  package var isPresent: Bool { File.exists(path) }

  package func read() throws(StorageError) -> StoredToken? {
    let bytes: [UInt8]
    do throws(PrivateFileError) {
      bytes = try TrustedFile.readPrivate(path, limit: Self.sizeLimit)
    } catch {
      if case .system(let error) = error, error.isNoEntry { return nil }
      throw StorageError(error)
    }
    do throws(StoredToken.FormatError) { return try StoredToken(json: bytes) } catch {
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
    try prepareForNewToken(at: now)
    do throws(SystemError) {
      try Folder.create(folder)
      try ReservedToken.removeLeftovers(of: path, in: folder)
      return try ReservedToken(for: path, in: folder, renewal)
    } catch { throw StorageError(error) }
  }

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
      do throws(StoredToken.FormatError) { _ = try StoredToken(json: bytes) } catch {
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
    do throws(SystemError) { try renewal.begin() } catch { throw StorageError(error) }
  }

  package func commitRenewal(_ token: StoredToken) throws(StorageError) {
    do throws(SystemError) { try renewal.commit(token.json) } catch { throw StorageError(error) }
  }

  package func abandonRenewal() { renewal.remove() }

  package func note(_ refusal: RenewalRefusal, of token: StoredToken) throws(StorageError) {
    try checkStored(token)
    do throws(SystemError) { try AtomicFile.write(token.withRefusal(refusal).json, to: path, .synced) } catch {
      throw StorageError(error)
    }
  }

  private func checkStored(_ token: StoredToken) throws(StorageError) {
    guard let stored = try read(), stored.isSameLogin(as: token) else {
      throw StorageError(.outdated, "\(path): another process has replaced or removed the token")
    }
  }

  private var renewal: TokenRenewal { TokenRenewal(of: path, in: folder) }

  /// Sets aside an incomplete response and the former token. The former token has been used, and strict servers revoke all tokens if it is
  /// sent again (RFC 9700 §4.14.2).
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

  /// Prepares for a new token: refuses to replace one from a newer version, and sets a corrupt one aside.
  private func prepareForNewToken(at now: Timestamp) throws(StorageError) {
    do throws(StorageError) { _ = try load(at: now) } catch {
      guard error.kind == .damaged || error.kind == .exposed else { throw error }
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
        "\(path): written by a newer homeline (schema \(schema), this one knows \(StoredToken.schema))",
        hint: "Update homeline")
    case .unknownKind(let kind):
      self.init(.unknownKind, "\(path): a token of kind '\(kind)', which this version of homeline does not know")
    case .corrupt(let reason): self.init(corruptToken: path, reason, setAside: nil)
    }
  }
}
