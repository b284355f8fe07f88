internal import CivilTime
internal import Glibc
internal import Platform
internal import Storage

/// The space reserved for a login's token, next to `token.json`, before the one-time verifier is sent. It is removed if unused.
final class ReservedToken: TokenReservation {
  private static let mark = ".reserved-"

  private let target: String
  private let folder: String
  private let file: ReservedFile
  private let renewal: TokenRenewal
  private let vault: TokenVault?

  /// Creates the reserved file.
  /// - Parameters:
  ///   - target: the file to replace. Its folder must exist.
  ///   - renewal: the file of an unfinished renewal of the current token, which a new token makes obsolete.
  ///   - vault: encrypts the token, if tokens are encrypted when it is committed.
  init(for target: String, in folder: String, _ renewal: TokenRenewal, _ vault: TokenVault?) throws(SystemError) {
    self.vault = vault
    self.target = target
    self.folder = folder
    self.renewal = renewal
    file = ReservedFile(path: "\(target)\(Self.mark)\(getpid())-\(UInt64.random(in: 0 ... .max))")
    try file.create(in: folder, for: target)
  }

  deinit { file.remove() }

  func commit(_ token: StoredToken) throws(StorageError) {
    let bytes = try (vault?.lastSealer ?? .plain).bytes(of: token)
    do throws(SystemError) { try file.fill(bytes, asNew: target, in: folder) } catch { throw StorageError(error) }
    renewal.remove()
  }

  /// Removes reserved files whose process has exited. Only the owner of the state may call this.
  static func removeLeftovers(of target: String, in folder: String) throws(SystemError) {
    let prefix = "\(folder)/"
    for name in try Folder.names(in: folder) {
      let path = prefix + name
      if path.hasPrefix(target + mark), !path.hasPrefix("\(target)\(mark)\(getpid())-") { try File.remove(path) }
    }
  }
}

/// A file with space allocated for a token that is about to be requested, so that a full disk or a read-only folder is detected before a
/// token can be lost.
struct ReservedFile: Sendable {
  /// The size in bytes: two pages on common file systems. A token needs less than one page.
  private static let size = 8192

  let path: String

  /// Creates the file, fills it with zeros and syncs it.
  /// - Parameter subject: the path to show in errors.
  func create(in folder: String, for subject: String) throws(SystemError) {
    do throws(SystemError) {
      let descriptor = try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
      // posix_fallocate(3) returns the error and does not set `errno`.
      let code = posix_fallocate(descriptor.number, 0, off_t(Self.size))
      if code != 0 { throw SystemError(call: "posix_fallocate", code: code) }
      try descriptor.sync()
      try descriptor.close()
      try Folder.sync(folder)
    } catch {
      remove()
      throw error.about(subject)
    }
  }

  /// Writes the content into the reserved space, syncs it and renames it over another file.
  ///
  /// If a step fails, the content is written to a new file, because a failed `fsync` must not be repeated on the same file.
  func fill(_ bytes: [UInt8], asNew target: String, in folder: String) throws(SystemError) {
    do throws(SystemError) {
      let descriptor = try Descriptor.open(path, O_WRONLY | O_NOFOLLOW)
      try descriptor.write(bytes)
      let number = descriptor.number
      try check("ftruncate") { ftruncate(number, off_t(bytes.count)) }
      try descriptor.sync()
      try descriptor.close()
      try File.rename(path, to: target)
      try Folder.sync(folder)
    } catch {
      try AtomicFile.write(bytes, to: target, .synced)
      remove()
    }
  }

  func remove() { try? File.remove(path) }
}

/// The file for a renewal in progress, next to `token.json`: allocated space that stays empty until the response arrives.
///
/// It is created before the request is sent, so that a full disk or a read-only folder is detected while the token is still valid. Zeros
/// mean that no response was received. Anything else is a response newer than `token.json`, whose refresh token has then been used. Unlike
/// a ``ReservedToken``, the file remains if its process is killed.
struct TokenRenewal: Sendable {
  private static let limit = 65536

  /// The content that an earlier process left behind.
  enum Leftover {
    /// No response was received.
    case unanswered
    /// A response was received. It may be incomplete.
    case answered([UInt8])
  }

  private let target: String
  private let folder: String

  init(of target: String, in folder: String) {
    self.target = target
    self.folder = folder
  }

  var path: String { "\(target).next" }

  /// Reserves space for the response before it is requested.
  func begin() throws(SystemError) {
    remove()
    try ReservedFile(path: path).create(in: folder, for: target)
  }

  /// Syncs the response to disk, and replaces the stored token with it.
  func commit(_ bytes: [UInt8]) throws(SystemError) {
    try ReservedFile(path: path).fill(bytes, asNew: target, in: folder)
  }

  /// Removes the file, because the provider refused the renewal or a login has made it obsolete.
  func remove() { ReservedFile(path: path).remove() }

  /// Returns the content of a renewal in progress; `nil` if there is none.
  func leftover() throws(PrivateFileError) -> Leftover? {
    let bytes: [UInt8]
    do throws(PrivateFileError) { bytes = try TrustedFile.readPrivate(path, limit: Self.limit) } catch {
      if case .system(let reason) = error, reason.isNoEntry { return nil }
      throw error
    }
    if bytes.allSatisfy({ $0 == 0 }) { return .unanswered }
    // A process that was killed before it could truncate the file leaves zeros after the response.
    let end = bytes.lastIndex { $0 != 0 } ?? bytes.startIndex
    return .answered(Array(bytes[...end]))
  }
}
