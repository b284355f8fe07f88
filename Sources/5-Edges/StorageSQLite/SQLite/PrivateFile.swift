internal import Glibc
package import Platform

/// Files that are private from the moment they are created.
package enum PrivateFile {
  /// Creates an empty file with mode 0600. If the user already has a regular file there, it is left unchanged.
  ///
  /// An existing file is not even opened: if it is a database, closing any descriptor of it would release the locks that SQLite holds on it
  /// in this process (`fcntl_locking(2)`).
  package static func create(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600).close()
    } catch {
      if !error.isExisting { throw error.about(path) }
      try TrustedFile.check(path)
    }
  }

  /// Checks a database and the files that SQLite will open with it. A FIFO in place of a journal would block forever.
  package static func checkDatabase(_ path: String) throws(SystemError) {
    for suffix in ["", "-wal", "-shm", "-journal"] {
      do throws(SystemError) { try TrustedFile.check(path + suffix) } catch { if !error.isNoEntry { throw error } }
    }
  }
}
