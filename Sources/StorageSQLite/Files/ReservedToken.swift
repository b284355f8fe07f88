internal import CivilTime
internal import Glibc
internal import Platform
internal import Storage

/// The place of a login's token beside `token.json`, made before a one-time verifier is spent. Removed again when it is not used.
final class ReservedToken: TokenReservation {
  private static let mark = ".reserved-"

  private let target: String
  private let folder: String
  private let file: ReservedFile
  private let renewal: TokenRenewal

  /// - Parameters:
  ///   - target: the file that will be replaced; its folder is there.
  ///   - renewal: a renewal of the former token, which a new one makes pointless.
  init(for target: String, in folder: String, _ renewal: TokenRenewal) throws(SystemError) {
    self.target = target
    self.folder = folder
    self.renewal = renewal
    file = ReservedFile(path: "\(target)\(Self.mark)\(getpid())-\(UInt64.random(in: 0 ... .max))")
    try file.make(in: folder, for: target)
  }

  deinit { file.remove() }

  func commit(_ token: StoredToken) throws(StorageError) {
    do throws(SystemError) { try file.fill(token.json, asNew: target, in: folder) } catch { throw StorageError(error) }
    renewal.remove()
  }

  /// Removes what processes that ended have left beside `token.json`. Only the owner of the state may ask for it.
  static func removeLeftovers(of target: String, in folder: String) throws(SystemError) {
    let prefix = "\(folder)/"
    for name in try Folder.names(in: folder) {
      let path = prefix + name
      if path.hasPrefix(target + mark), !path.hasPrefix("\(target)\(mark)\(getpid())-") { try File.remove(path) }
    }
  }
}

/// A file with allocated space for a token that is about to be asked for, so that a full disk or an unwritable folder is found while
/// nothing is lost yet.
struct ReservedFile: Sendable {
  /// Two pages of every usual file system; a token takes less than one.
  private static let size = 8192

  let path: String

  /// Makes it, its space filled with zeros, and brings it to the disk.
  /// - Parameter subject: whom an error is about.
  func make(in folder: String, for subject: String) throws(SystemError) {
    do throws(SystemError) {
      let descriptor = try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
      // posix_fallocate(3) answers the error itself and leaves `errno` alone.
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

  /// Writes the content into the reserved space, brings it to the disk and puts it in the place of another file.
  ///
  /// If any step fails, the content is written once more into a new file: a failed `fsync` must not be repeated on this one.
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

/// A renewal under way, as it lies on the disk beside `token.json`: a file with allocated space and nothing in it until the answer
/// has come.
///
/// It is there before the provider is asked, so a full disk or an unwritable folder is found while the token is still good. Nothing but
/// zeros in it means that no answer was received; anything else is newer than `token.json`, whose refresh token is then used up.
/// Unlike a ``ReservedToken`` it outlives its process, which may be killed between the two.
struct TokenRenewal: Sendable {
  private static let limit = 65536

  /// What a process that ended has left.
  enum Leftover {
    /// No answer was received.
    case unanswered
    /// The answer, whole or not.
    case answered([UInt8])
  }

  private let target: String
  private let folder: String

  init(of target: String, in folder: String) {
    self.target = target
    self.folder = folder
  }

  var path: String { "\(target).next" }

  /// Makes the place, for the answer to the renewal that is about to be asked for.
  func begin() throws(SystemError) {
    remove()
    try ReservedFile(path: path).make(in: folder, for: target)
  }

  /// Brings the answer to the disk and puts it in the place of the token before it.
  func commit(_ bytes: [UInt8]) throws(SystemError) {
    try ReservedFile(path: path).fill(bytes, asNew: target, in: folder)
  }

  /// Takes the place away: the provider has refused, or another login has made it pointless.
  func remove() { ReservedFile(path: path).remove() }

  /// - Returns: `nil` when there is none.
  func leftover() throws(PrivateFileError) -> Leftover? {
    let bytes: [UInt8]
    do throws(PrivateFileError) { bytes = try TrustedFile.readPrivate(path, limit: Self.limit) } catch {
      if case .system(let reason) = error, reason.isNoEntry { return nil }
      throw error
    }
    if bytes.allSatisfy({ $0 == 0 }) { return .unanswered }
    // A process that was killed between writing and cutting the file off leaves the zeros behind the answer.
    let end = bytes.lastIndex { $0 != 0 } ?? bytes.startIndex
    return .answered(Array(bytes[...end]))
  }
}
