internal import Glibc
internal import Platform

/// A renewal under way, as it lies on the disk beside `token.json`: a file with allocated space and nothing in it until the answer
/// has come.
///
/// It is there before the provider is asked, so a full disk or an unwritable folder is found while the token is still good. Nothing but
/// zeros in it means that no answer was received; anything else is newer than `token.json`, whose refresh token is then used up.
/// Unlike a ``TokenReservation`` it outlives its process, which may be killed between the two.
package struct TokenRenewal: Sendable {
  /// Two pages of every usual file system; a token takes less than one.
  private static let size = 8192
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
    do throws(SystemError) {
      try? File.remove(path)
      let descriptor = try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
      // posix_fallocate(3) answers the error itself and leaves `errno` alone.
      let code = posix_fallocate(descriptor.number, 0, off_t(Self.size))
      if code != 0 { throw SystemError(call: "posix_fallocate", code: code) }
      try descriptor.sync()
      try descriptor.close()
      try Folder.sync(folder)
    } catch {
      try? File.remove(path)
      throw error.about(target)
    }
  }

  /// Brings the answer to the disk and puts it in the place of the token before it.
  ///
  /// If any step fails, it is written once more into a new file: a failed `fsync` must not be repeated on this one.
  func commit(_ bytes: [UInt8]) throws(SystemError) {
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

  /// Takes the place away: the provider has refused, or another login has made it pointless.
  func remove() { try? File.remove(path) }

  /// - Returns: `nil` when there is none.
  func leftover() throws(PrivateFileError) -> Leftover? {
    let bytes: [UInt8]
    do throws(PrivateFileError) { bytes = try File.readPrivate(path, limit: Self.limit) } catch {
      if case .system(let reason) = error, reason.isNoEntry { return nil }
      throw error
    }
    if bytes.allSatisfy({ $0 == 0 }) { return .unanswered }
    // A process that was killed between writing and cutting the file off leaves the zeros behind the answer.
    let end = bytes.lastIndex { $0 != 0 } ?? bytes.startIndex
    return .answered(Array(bytes[...end]))
  }
}
