internal import Glibc
internal import Platform

/// A file with allocated space beside `token.json`, made before a one-time verifier is spent, so that a full disk or an
/// unwritable folder is found while nothing is lost yet. Removed again when it is not used.
package final class TokenReservation: Sendable {
  /// Two pages of every usual file system; a token takes less than one.
  private static let size = 8192
  private static let mark = ".reserved-"

  private let target: String
  private let path: String

  /// - Parameter target: the file that will be replaced; its folder is there.
  init(for target: String, in folder: String) throws(SystemError) {
    self.target = target
    path = "\(target)\(Self.mark)\(getpid())-\(UInt64.random(in: 0 ... .max))"
    do throws(SystemError) {
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

  deinit { try? File.remove(path) }

  /// Writes the content into the reserved space, brings it to the disk and puts it in place.
  ///
  /// If any step fails, the content is written once more into a new file: a failed `fsync` must not be repeated on this one.
  func commit(_ bytes: [UInt8], in folder: String) throws(SystemError) {
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
    }
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
