internal import Glibc
internal import Platform
internal import Storage

/// The space reserved for a login's token, next to `token.json`, before the one-time verifier is sent. It is removed if unused.
final class ReservedToken: TokenReservation {
  private static let mark = ".reserved-"

  private let target: String
  private let path: String
  private let renewal: TokenRenewal
  private let vault: TokenVault?

  /// Creates the reserved file.
  /// - Parameters:
  ///   - target: the file to replace. Its folder must exist.
  ///   - renewal: the file of an unfinished renewal of the current token, which a new token makes obsolete.
  ///   - vault: encrypts the token, if tokens are encrypted when it is committed.
  init(for target: String, _ renewal: TokenRenewal, _ vault: TokenVault?) throws(SystemError) {
    self.vault = vault
    self.target = target
    self.renewal = renewal
    path = "\(target)\(Self.mark)\(getpid())-\(UInt64.random(in: 0 ... .max))"
    try AtomicFile.reserve(path, for: target)
  }

  deinit { try? File.remove(path) }

  func commit(_ token: StoredToken) throws(StorageError) {
    let bytes = try (vault?.lastSealer ?? .plain).bytes(of: token)
    do throws(SystemError) { try AtomicFile.write(bytes, inReserved: path, to: target) } catch {
      throw StorageError(error)
    }
    renewal.remove()
  }

  /// Removes reserved files whose process has exited. Only the state owner may call this.
  static func removeLeftovers(of target: String, in folder: String) throws(SystemError) {
    let prefix = "\(folder)/"
    for name in try Folder.names(in: folder) {
      let path = prefix + name
      if path.hasPrefix(target + mark), !path.hasPrefix("\(target)\(mark)\(getpid())-") { try File.remove(path) }
    }
  }
}
