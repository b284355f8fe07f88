package import CivilTime
package import Platform

/// The token of one account, in `token.json`. Written by the owner of the state only; read by anyone who may.
package struct TokenStore: Sendable {
  /// Far beyond any token.
  private static let sizeLimit = 65536

  private let path: String
  private let folder: String

  package init(_ files: AccountFiles) {
    path = files.token
    folder = files.stateFolder
  }

  /// Reads the token and changes nothing.
  /// - Returns: `nil` when there is none.
  package func read() throws(TokenStoreError) -> StoredToken? {
    let bytes: [UInt8]
    do throws(PrivateFileError) {
      bytes = try OwnFile.readPrivate(path, limit: Self.sizeLimit)
    } catch {
      switch error {
      case .readableByOthers(let path, let permissions): throw .readableByOthers(path, permissions: permissions)
      case .system(let error):
        if error.isNoEntry { return nil }
        throw .system(error)
      }
    }
    do throws(StoredToken.Unusable) {
      return try StoredToken(json: bytes)
    } catch {
      switch error {
      case .newerSchema(let schema): throw .newerSchema(path, schema)
      case .unknownKind(let kind): throw .unknownKind(path, kind)
      case .corrupt(let reason): throw .corrupt(path, reason: reason, setAside: nil)
      }
    }
  }

  /// Reads the token as its owner: a corrupt file is moved beside, never deleted, and named in the error.
  /// - Returns: `nil` when there is none.
  package func load(at now: Timestamp) throws(TokenStoreError) -> StoredToken? {
    do throws(TokenStoreError) {
      return try read()
    } catch .corrupt(let path, let reason, _) {
      let aside = FreePath.beside(path, "corrupt", at: now)
      do throws(SystemError) {
        try File.rename(path, to: aside)
        try Folder.sync(folder)
      } catch { throw .system(error) }
      throw .corrupt(path, reason: reason, setAside: aside)
    }
  }

  /// Makes sure that a token can be kept, before the provider is asked for one.
  ///
  /// What stands in the way of the new token is found here: no space, no right to write, a newer schema. A corrupt file
  /// is set aside, a public one is replaced by the new token.
  package func prepare(at now: Timestamp) throws(TokenStoreError) -> TokenReservation {
    try makeWay(at: now)
    do throws(SystemError) {
      try Folder.create(folder)
      try TokenReservation.removeLeftovers(of: path, in: folder)
      return try TokenReservation(for: path, in: folder)
    } catch { throw .system(error) }
  }

  /// Keeps a token in the space reserved for it: after the return it survives a power cut. The one before it is replaced.
  package func commit(_ token: StoredToken, into reservation: TokenReservation) throws(TokenStoreError) {
    do throws(SystemError) { try reservation.commit(token.json, in: folder) } catch { throw .system(error) }
    renewal.remove()
  }

  // MARK: Renewals

  /// What a process that ended in the middle of a renewal has left.
  package enum Recovery: Sendable, Hashable {
    /// Nothing.
    case nothing
    /// It had asked, and no answer was received: the token before it is all there is.
    case unanswered
    /// The renewed token had been received and is the one that counts now.
    case completed
  }

  /// Brings to its end what a process that ended has left. To be called by the owner of the state, before the first `load`.
  package func recover(at now: Timestamp) throws(TokenStoreError) -> Recovery {
    let leftover: TokenRenewal.Leftover?
    do throws(PrivateFileError) { leftover = try renewal.leftover() } catch {
      switch error {
      case .readableByOthers(let path, let permissions): throw .readableByOthers(path, permissions: permissions)
      case .system(let error): throw .system(error)
      }
    }
    switch leftover {
    case nil: return .nothing
    case .unanswered:
      renewal.remove()
      return .unanswered
    case .answered(let bytes):
      do throws(StoredToken.Unusable) { _ = try StoredToken(json: bytes) } catch { try setAsideTorn(at: now) }
      // Not merely renamed: the process may have ended before its bytes were on the disk, or the space behind them was cut off.
      do throws(SystemError) { try renewal.commit(bytes) } catch { throw .system(error) }
      return .completed
    }
  }

  /// The token that a process before has received, where ``recover(at:)`` could not put it in its place until now. To be asked before
  /// a renewal begins, which would take its place away and use up a token that is used up already.
  /// - Parameter former: the token that is to be renewed.
  /// - Returns: `nil` when there is none.
  package func received(after former: StoredToken, at now: Timestamp) throws(TokenStoreError) -> StoredToken? {
    guard try recover(at: now) == .completed, let token = try load(at: now), token.grant != former.grant else {
      return nil
    }
    return token
  }

  /// Makes sure that a renewed token can be kept, before the provider is asked for one.
  package func beginRenewal() throws(TokenStoreError) {
    do throws(SystemError) { try renewal.begin() } catch { throw .system(error) }
  }

  /// Keeps a renewed token: after the return it survives a power cut. The one before it is replaced.
  package func commitRenewal(_ token: StoredToken) throws(TokenStoreError) {
    do throws(SystemError) { try renewal.commit(token.json) } catch { throw .system(error) }
  }

  /// No answer will come: the provider has refused, or was not reached.
  package func endRenewal() { renewal.remove() }

  /// Writes down why the token's renewal was refused: after the return the next process knows it, too.
  package func note(_ refusal: RenewalRefusal, of token: StoredToken) throws(TokenStoreError) {
    do throws(SystemError) { try AtomicFile.write(token.noting(refusal).json, to: path, .synced) } catch {
      throw .system(error)
    }
  }

  private var renewal: TokenRenewal { TokenRenewal(of: path, in: folder) }

  /// An answer that was received and is not whole: the token before it is used up, and to use it again would have strict servers
  /// revoke what they gave (RFC 9700 §4.14.2). Both are kept aside.
  private func setAsideTorn(at now: Timestamp) throws(TokenStoreError) -> Never {
    let aside = FreePath.beside(path, "corrupt", at: now)
    do throws(SystemError) {
      try File.rename(renewal.path, to: aside)
      if File.exists(path) { try File.rename(path, to: FreePath.beside(path, "used", at: now)) }
      try Folder.sync(folder)
    } catch { throw .system(error) }
    throw .corrupt(path, reason: "its renewal was cut off in the middle", setAside: aside)
  }

  /// Deletes the token, for good when it returns. One that is not there is no error.
  package func remove(at now: Timestamp) throws(TokenStoreError) {
    try makeWay(at: now)
    renewal.remove()
    guard File.exists(path) else { return }
    do throws(SystemError) {
      try File.remove(path)
      try Folder.sync(folder)
    } catch { throw .system(error) }
  }

  /// Refuses to touch what a newer program wrote, and sets a corrupt file aside.
  private func makeWay(at now: Timestamp) throws(TokenStoreError) {
    do throws(TokenStoreError) {
      _ = try load(at: now)
    } catch .corrupt {
      return
    } catch .readableByOthers {
      return
    }
  }
}

/// Why a token could not be read or kept.
package enum TokenStoreError: Error, CustomStringConvertible {
  /// Others can read the file: its secret may be known to them.
  case readableByOthers(String, permissions: UInt32)
  /// Written by a newer version of this program, and left as it is.
  case newerSchema(String, Int64)
  /// Of a kind that this version does not know, and left as it is.
  case unknownKind(String, String)
  /// No token; `setAside` is where the file is now, `nil` when it was only looked at.
  case corrupt(String, reason: String, setAside: String?)
  case system(SystemError)

  package var description: String {
    switch self {
    case .readableByOthers(let path, let permissions):
      PrivateFileError.readableByOthers(path, permissions).description
    case .newerSchema(let path, let schema):
      "\(path): written by a newer homeline (schema \(schema), this one knows \(StoredToken.schema)). Update homeline"
    case .unknownKind(let path, let kind): "\(path): a token of kind '\(kind)', which this homeline does not know"
    case .corrupt(let path, let reason, let setAside?):
      "\(path): no valid token: \(reason). It was kept as \(setAside); log in again"
    case .corrupt(let path, let reason, nil): "\(path): no valid token: \(reason)"
    case .system(let error): error.description
    }
  }
}
