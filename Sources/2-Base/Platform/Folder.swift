internal import Glibc

/// Creates private folders, and lists, syncs and removes folders.
package enum Folder {
  /// Creates a folder with a unique name and mode 0700 (`mkdtemp(3)`).
  /// - Parameter prefix: the path up to the random part of the name.
  package static func createUnique(_ prefix: String) throws(SystemError) -> String {
    var template = Array("\(prefix)XXXXXX".utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { unsafe mkdtemp($0.baseAddress!) }
    guard unsafe made != nil else { throw SystemError(call: "mkdtemp", code: errno, subject: "\(prefix)XXXXXX") }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes an empty folder (`rmdir(2)`).
  package static func remove(_ path: String) throws(SystemError) {
    try check("rmdir", path) { unsafe rmdir(path) }
  }

  /// Syncs the names in a folder to disk, so that a `rename(2)` survives a power failure.
  package static func sync(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      try Descriptor.open(path, O_RDONLY | O_DIRECTORY).sync()
    } catch { throw error.about(path) }
  }

  /// Returns the names in a folder, sorted, without `.` and `..` (`readdir(3)`). A name that is not UTF-8 is written as
  /// ``VisibleBytes`` shows it; no file can be opened by that name.
  package static func names(in path: String) throws(SystemError) -> [String] {
    guard let stream = unsafe opendir(path) else { throw SystemError(call: "opendir", code: errno, subject: path) }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { name in
          unsafe String(validatingCString: name)
            ?? VisibleBytes.text(UnsafeBufferPointer(start: name, count: strlen(name)).map { UInt8(bitPattern: $0) })
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Returns the parent's path, or `nil` at the root and for a bare name.
  package static func parent(of path: String) -> String? {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else { return nil }
    return String(path[..<slash])
  }
}

extension Folder {
  /// Creates a folder and its missing parents, each with mode 0700 (`mkdir(2)`).
  /// - Throws: for an existing folder, also the errors of ``checkTrust(_:)``.
  package static func create(_ path: String) throws(SystemError) {
    try make(path)
    try checkTrust(path)
  }

  private static func make(_ path: String) throws(SystemError) {
    // Most folders already exist, and mkdir(2) would lock the parent folder only to report that.
    if let facts = try? FileStatus.of(path), facts.isFolder { return }
    do throws(SystemError) {
      try check("mkdir", path) { unsafe mkdir(path, 0o700) }
    } catch {
      if error.isNoEntry, let above = parent(of: path) {
        try create(above)
        do throws(SystemError) { try check("mkdir", path) { unsafe mkdir(path, 0o700) } } catch {
          // Another process has created the folder in the meantime.
          if !error.isExisting { throw error }
        }
      } else if error.isExisting {
        guard try FileStatus.of(path).isFolder else { throw SystemError(call: "mkdir", code: ENOTDIR, subject: path) }
      } else {
        throw error
      }
    }
  }
}
