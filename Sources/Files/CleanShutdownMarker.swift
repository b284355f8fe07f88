internal import Platform

/// The mark beside an account's database that what is published of it is whole: as the database has it, and on this start of the machine.
///
/// Published files are renamed into place without being synced, so that a power cut can leave one empty or torn, and a kill one that is behind the
/// database. The mark names the machine's start (`/proc/sys/kernel/random/boot_id`, random(4)): it is made at a clean end, needs no sync
/// itself, and is gone while somebody works.
package struct CleanShutdownMarker: Sendable {
  private let path: String
  private let start: String

  /// - Parameter machineStart: what tells one start of the machine from another.
  package init(_ files: AccountFiles, machineStart: String = CleanShutdownMarker.machineStart) {
    path = files.publishedMark
    start = machineStart
  }

  /// Takes the mark away.
  /// - Returns: whether it was there, made since the machine was started.
  package func take() -> Bool {
    guard let text = try? File.read(path, limit: 100) else { return false }
    // Before anything is published: from now on a kill would be noticed.
    do throws(SystemError) { try File.remove(path) } catch { return false }
    return !start.isEmpty && String(decoding: text, as: UTF8.self) == start
  }

  /// Leaves the mark. That it cannot be left costs a publication at the next start.
  package func leave() {
    guard !start.isEmpty, let folder = Folder.parent(of: path), File.exists(folder) else { return }
    try? AtomicFile.write(Array(start.utf8), to: path, .replaced)
  }

  /// Empty where the kernel does not tell.
  package static let machineStart: String = {
    guard let text = try? File.read("/proc/sys/kernel/random/boot_id", limit: 100) else { return "" }
    return String(decoding: text.prefix { $0 != 0x0a }, as: UTF8.self)
  }()
}
