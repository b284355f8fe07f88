internal import Glibc

/// A lock file held by this process until it ends or lets go (`flock(2)`), with a text that says who holds it.
package struct FileLock: ~Copyable {
  private let descriptor: Descriptor

  /// What came of asking for the lock.
  package enum Outcome: ~Copyable {
    case held(FileLock)
    /// Somebody else holds it; the file's text says who, as far as it can be read.
    case taken(by: String)
  }

  /// Asks for the lock without waiting, and writes `text` into the file (at most 4 KiB, mode 0600).
  package static func take(_ path: String, text: String) throws(SystemError) -> Outcome {
    let descriptor = try OwnFile.openTrusted(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
    let number = descriptor.number
    do throws(SystemError) {
      try check("flock", path) { flock(number, LOCK_EX | LOCK_NB) }
    } catch {
      guard error.isBlocked else { throw error }
      return .taken(by: String(decoding: (try? descriptor.readToEnd(limit: 4096)) ?? [], as: UTF8.self))
    }
    // The file is kept after use: removing it would let a third process lock a new file of the same name.
    do throws(SystemError) {
      try check("ftruncate") { ftruncate(number, 0) }
      try descriptor.write(Array(text.utf8))
    } catch { throw error.about(path) }
    return .held(FileLock(descriptor: descriptor))
  }

  /// Holds the lock together with others who share it, and waits while one has it alone (`LOCK_SH`).
  /// - Throws: ENOENT where there is no such file; none is made.
  package static func share(_ path: String) throws(SystemError) -> FileLock {
    try FileLock(sharing: OwnFile.open(path, O_RDONLY | O_NOFOLLOW), path)
  }

  /// Puts another text in the place of the one that says who holds the lock. A reader may meet neither for an instant.
  package borrowing func replaceText(by text: String) throws(SystemError) {
    let number = descriptor.number
    try check("ftruncate") { ftruncate(number, 0) }
    try check("lseek") { lseek(number, 0, SEEK_SET) }
    try descriptor.write(Array(text.utf8))
  }

  /// Waits until nobody holds the lock, for as long as that takes.
  package static func waitForRelease(_ path: String) throws(SystemError) {
    // Shared, and let go of at once: whoever asks for the lock just then asks again.
    _ = try FileLock(sharing: OwnFile.openTrusted(path, O_RDONLY), path)
  }

  private init(descriptor: consuming Descriptor) { self.descriptor = descriptor }

  private init(sharing descriptor: consuming Descriptor, _ path: String) throws(SystemError) {
    let number = descriptor.number
    try check("flock", path) { flock(number, LOCK_SH) }
    self.init(descriptor: descriptor)
  }

  /// Closing alone would leave it held by a child that has a copy of the descriptor until it becomes another program.
  deinit { _ = flock(descriptor.number, LOCK_UN) }

  /// The text of a lock file that somebody holds, or `nil` when nobody does, and for another user's file.
  package static func holder(_ path: String) -> String? {
    guard let descriptor = try? OwnFile.openTrusted(path, O_RDONLY) else { return nil }
    if flock(descriptor.number, LOCK_SH | LOCK_NB) == 0 {
      _ = FileLock(descriptor: descriptor)
      return nil
    }
    return String(decoding: (try? descriptor.readToEnd(limit: 4096)) ?? [], as: UTF8.self)
  }
}
