internal import Folders
internal import Glibc
internal import Platform

/// Puts all of a backup's files in place, or none of them.
///
/// The journal, which lists the new paths, is written before the first of these files. If the process is killed, the next restore removes
/// those that exist. The configuration is put in place last: if it exists, the restore was complete.
struct RestoreJournal {
  struct Step {
    enum Source {
      /// A file on the same file system, which is moved.
      case file(String)
      /// The content for a new file.
      case text(String)
    }

    let source: Source
    /// The path of the new file; nothing may exist there yet.
    let path: String

    init(_ source: Source, to path: String) {
      self.source = source
      self.path = path
    }
  }

  /// The journal's size limit in bytes.
  private static let byteLimit = 16 << 20

  private let path: String

  init(_ layout: FileLayout) { path = "\(layout.dataFolder)/_restoring" }

  /// Removes the files of an interrupted restore. If the last file exists, the restore was complete, and nothing is removed.
  func undoInterrupted() throws(BackupError) {
    guard File.exists(path) else { return }
    let bytes = try converting { () throws(SystemError) in try TrustedFile.read(path, limit: Self.byteLimit) }
    // Paths contain no zero bytes.
    let paths = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    if let last = paths.last, !File.exists(last) { Self.undo(paths) }
    try converting { () throws(SystemError) in try File.remove(path) }
  }

  /// Performs the steps in order. If a step fails, all files that the restore has created are removed.
  func perform(_ steps: [Step]) throws(BackupError) {
    let paths = steps.map(\.path)
    if let use = paths.lazy.compactMap({ FreeName.use(of: $0) }).first { throw Self.refusal(use) }
    let journal = paths.flatMap { path -> [UInt8] in Array(path.utf8) + [0] }
    try converting { () throws(SystemError) in try AtomicFile.write(journal, to: path, .synced) }
    do throws(SystemError) {
      for step in steps { try Self.perform(step) }
    } catch {
      Self.undo(paths)
      try? File.remove(path)
      throw BackupError(error)
    }
    // The files are in place, so it does not matter if the journal cannot be removed.
    try? File.remove(path)
  }

  /// Returns the error for a path that is not free.
  /// - Parameter use: the result of `FreeName.use(of:)`.
  static func refusal(_ use: String) -> BackupError {
    BackupError(.cannotCreate, "\(use). restore does not replace anything: to restore a backup, move it away")
  }

  private static func perform(_ step: Step) throws(SystemError) {
    guard let folder = Folder.parent(of: step.path) else {
      throw SystemError(call: "open", code: EINVAL, subject: step.path)
    }
    try Folder.create(folder)
    switch step.source {
    case .text(let text): try AtomicFile.write(Array(text.utf8), to: step.path, .synced)
    case .file(let source):
      try File.makePrivate(source)
      try Descriptor.open(source, O_RDWR | O_NOFOLLOW).sync()
      try FreeName.move(source, to: step.path)
      try Folder.sync(folder)
    }
  }

  /// Removes the files, and each of their folders that is empty afterwards.
  private static func undo(_ paths: [String]) {
    for path in paths {
      for suffix in ["", "-wal", "-shm"] { try? File.remove(path + suffix) }
      if let folder = Folder.parent(of: path) { try? Folder.remove(folder) }
    }
  }
}
