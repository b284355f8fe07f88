internal import Platform

/// A file next to an account's database. It shows that the last state owner shut down cleanly, and that the published files match
/// the database.
///
/// Published files are renamed into place without fsync. After a power failure, a file can therefore be empty or incomplete; after a kill,
/// it can be older than the database. The marker contains the id of the current boot (`/proc/sys/kernel/random/boot_id`, random(4)). It is
/// written, without fsync, on a clean shutdown. A process removes it before it publishes anything.
package struct CleanShutdownMarker: Sendable {
  private let path: String
  private let start: String

  /// - Parameter machineStart: the id of the machine's current boot.
  package init(_ files: AccountFiles, machineStart: String = CleanShutdownMarker.machineStart) {
    path = files.cleanShutdownMarker
    start = machineStart
  }

  /// Removes the marker.
  /// - Returns: whether the marker existed and was written since the machine booted.
  package func remove() -> Bool {
    guard let text = try? File.read(path, limit: 100) else { return false }
    // The marker is removed before anything is published, so that the next start notices a kill from now on.
    do throws(SystemError) { try File.remove(path) } catch { return false }
    return !start.isEmpty && String(decoding: text, as: UTF8.self) == start
  }

  /// Writes the marker. If that fails, the next start publishes again.
  package func write() {
    guard !start.isEmpty, let folder = Folder.parent(of: path), File.exists(folder) else { return }
    try? AtomicFile.write(Array(start.utf8), to: path, .replaced)
  }

  /// The id of the current boot; empty if the kernel does not provide it.
  package static let machineStart: String = {
    guard let text = try? File.read("/proc/sys/kernel/random/boot_id", limit: 100) else { return "" }
    return String(decoding: text.prefix { $0 != 0x0a }, as: UTF8.self)
  }()
}
