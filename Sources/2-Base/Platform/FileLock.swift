internal import Glibc

/// A lock file that this process holds until it exits or releases it (`flock(2)`), with text that identifies the holder.
package struct FileLock: ~Copyable {
  private let descriptor: Descriptor

  /// The result of trying to acquire the lock.
  package enum Outcome: ~Copyable {
    case held(FileLock)
    /// Another process holds the lock. The text identifies the holder, or is empty if it could not be read.
    case taken(by: String)
  }

  /// Tries to acquire the lock without waiting, and writes `text` into the file (at most 4 KiB, mode 0600).
  package static func take(_ path: String, text: String) throws(SystemError) -> Outcome {
    let descriptor = try TrustedFile.openTrusted(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
    let number = descriptor.number
    do throws(SystemError) {
      try check("flock", path) { flock(number, LOCK_EX | LOCK_NB) }
    } catch {
      guard error.isBlocked else { throw error }
      return .taken(by: String(decoding: (try? descriptor.readToEnd(limit: 4096)) ?? [], as: UTF8.self))
    }
    // The file is kept after use. If it were removed, a third process could lock a new file with the same name.
    do throws(SystemError) {
      try check("ftruncate") { ftruncate(number, 0) }
      try descriptor.write(Array(text.utf8))
    } catch { throw error.about(path) }
    return .held(FileLock(descriptor: descriptor))
  }

  /// Acquires a shared lock, and waits while another process holds an exclusive one (`LOCK_SH`).
  /// - Throws: ENOENT if the file does not exist. This method does not create it.
  package static func share(_ path: String) throws(SystemError) -> FileLock {
    try FileLock(sharing: TrustedFile.open(path, O_RDONLY | O_NOFOLLOW), path)
  }

  /// Replaces the text that identifies the holder. For an instant, a reader may see neither text.
  package borrowing func replaceText(by text: String) throws(SystemError) {
    let number = descriptor.number
    try check("ftruncate") { ftruncate(number, 0) }
    try check("lseek") { lseek(number, 0, SEEK_SET) }
    try descriptor.write(Array(text.utf8))
  }

  /// Waits without a timeout until the lock is free.
  package static func waitForRelease(_ path: String) throws(SystemError) {
    // The lock is shared and released immediately. Another process that tries to acquire it in the meantime retries.
    _ = try FileLock(sharing: TrustedFile.openTrusted(path, O_RDONLY), path)
  }

  private init(descriptor: consuming Descriptor) { self.descriptor = descriptor }

  private init(sharing descriptor: consuming Descriptor, _ path: String) throws(SystemError) {
    let number = descriptor.number
    try check("flock", path) { flock(number, LOCK_SH) }
    self.init(descriptor: descriptor)
  }

  /// Releases the lock explicitly. If the descriptor were only closed, a forked child with a copy of it would hold the lock until its exec.
  deinit { _ = flock(descriptor.number, LOCK_UN) }

  /// Returns the text of a held lock file; `nil` if no process holds it, or if the file belongs to another user.
  package static func holder(_ path: String) -> String? {
    guard let descriptor = try? TrustedFile.openTrusted(path, O_RDONLY) else { return nil }
    if flock(descriptor.number, LOCK_SH | LOCK_NB) == 0 {
      _ = FileLock(descriptor: descriptor)
      return nil
    }
    return String(decoding: (try? descriptor.readToEnd(limit: 4096)) ?? [], as: UTF8.self)
  }
}
