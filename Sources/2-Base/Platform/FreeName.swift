internal import CLinux
internal import Glibc

/// Names for new files.
///
/// A name is free only if lstat(2) finds nothing there. A dangling symbolic link still counts: it shows where the file belongs, for example
/// on a disk that is not mounted. A file written in its place would be hidden once that disk is mounted again.
package enum FreeName {
  /// Returns what already has a name, as a sentence without a full stop; nil if the name is free, or if its folder cannot be searched.
  package static func use(of path: String) -> String? {
    if let link = danglingLink(path) { return link }
    return (try? FileStatus.ofLink(path)) == nil ? nil : "\(path) already exists"
  }

  /// Whether anything has this name.
  package static func isTaken(_ path: String) -> Bool { use(of: path) != nil }

  /// Checks that a name is free.
  /// - Throws: EEXIST, with the reason.
  package static func require(_ path: String) throws(SystemError) {
    if let use = use(of: path) { throw taken(use) }
  }

  /// Checks that a name, which may be in use, is not a dangling link.
  /// - Throws: EEXIST, with the link's target.
  package static func refuseDanglingLink(_ path: String) throws(SystemError) {
    if let link = danglingLink(path) { throw taken(link) }
  }

  /// Returns a sentence about a symbolic link whose target does not exist or cannot be reached; nil for everything else.
  package static func danglingLink(_ path: String) -> String? {
    guard (try? FileStatus.ofLink(path))?.isLink == true, let target = try? ProcessEnvironment.linkTarget(path) else {
      return nil
    }
    do throws(SystemError) {
      _ = try FileStatus.of(path)
      return nil
    } catch {
      return "\(path) is a link to \(target), which \(error.isNoEntry ? "does not exist" : "cannot be reached")"
    }
  }

  private static func taken(_ use: String) -> SystemError { SystemError(call: "open", code: EEXIST, finding: use) }
}

extension FreeName {
  /// How to give a file a free name. Not every file system supports the first two ways.
  enum Move: CaseIterable {
    /// renameat2(2) with RENAME_NOREPLACE.
    case rename
    /// link(2), and unlink(2) of the old name.
    case link
    /// A new file with the same content (`open(2)` with O_EXCL). Unlike the other ways, this takes time: a process killed meanwhile leaves
    /// an incomplete file beside the old one.
    case copy

    /// The errors of file systems and kernels that do not support this way.
    fileprivate var unsupported: Set<Int32> {
      switch self {
      case .rename: [EINVAL, ENOSYS, ENOTSUP]
      case .link: [EPERM, ENOSYS, ENOTSUP, EMLINK]
      case .copy: []
      }
    }
  }

  /// Moves a regular file to a free name in the same file system. Anything that appears at that name meanwhile is kept.
  /// - Throws: EEXIST if the name is taken.
  package static func move(_ path: String, to new: String) throws(SystemError) {
    try move(path, to: new, by: Move.allCases)
  }

  /// - Parameter ways: tried in this order.
  static func move(_ path: String, to new: String, by ways: [Move]) throws(SystemError) {
    var failure: SystemError?
    for way in ways {
      do throws(SystemError) {
        switch way {
        case .rename: try check("renameat2", new) { unsafe clinux_rename_to_free(path, new) }
        case .link:
          try check("link", new) { unsafe link(path, new) }
          try File.remove(path)
        case .copy: try copy(path, to: new)
        }
        return
      } catch {
        if error.isExisting { throw use(of: new).map { taken($0) } ?? error }
        failure = error
        guard way.unsupported.contains(error.code) else { break }
      }
    }
    throw failure ?? SystemError(call: "renameat2", code: ENOSYS, subject: new)
  }

  private static func copy(_ path: String, to new: String) throws(SystemError) {
    let source = try OwnFile.open(path, O_RDONLY)
    let facts = try FileStatus.of(source, path: path)
    let target = try Descriptor.open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    do throws(SystemError) {
      while true {
        let piece = try source.readBeginning(1 << 20)
        if piece.isEmpty { break }
        try target.write(piece)
      }
      try target.setMode(facts.permissions)
      try target.sync()
    } catch {
      try? File.remove(new)
      throw error.about(new)
    }
    try File.remove(path)
  }
}
