internal import Glibc
package import Platform

/// Files that are private from their first moment.
package enum PrivateFile {
  /// Makes an empty file of mode 0600; one that is there is left as it is, if it is a file of the user's.
  ///
  /// An existing database must not even be opened here: closing any descriptor of it drops the locks that SQLite holds on
  /// it in this process (`fcntl_locking(2)`).
  package static func create(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600).close()
    } catch {
      if !error.isExisting { throw error.about(path) }
      try TrustedFile.check(path)
    }
  }

  /// Looks at a database and what SQLite will open with it: a FIFO at the name of a journal would keep it waiting for ever.
  package static func checkDatabase(_ path: String) throws(SystemError) {
    for suffix in ["", "-wal", "-shm", "-journal"] {
      do throws(SystemError) { try TrustedFile.check(path + suffix) } catch { if !error.isNoEntry { throw error } }
    }
  }
}
