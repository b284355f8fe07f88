internal import Glibc

/// Whether a stream of this process ends in the journal.
package enum JournalStream {
  /// - Parameter environment: `JOURNAL_STREAM` in it names the socket that the service manager has connected to the journal, as
  ///   device and inode. It is inherited by children whose streams may go elsewhere, hence the comparison (systemd.exec(5)).
  package static func isJournal(descriptor: Int32, environment: [String: String]) -> Bool {
    guard let parts = environment["JOURNAL_STREAM"]?.split(separator: ":", omittingEmptySubsequences: false),
      parts.count == 2, let device: UInt64 = ServiceVariables.number(String(parts[0])),
      let inode: UInt64 = ServiceVariables.number(String(parts[1]))
    else { return false }
    var facts = stat()
    return unsafe fstat(descriptor, &facts) == 0 && facts.st_dev == device && facts.st_ino == inode
  }
}
