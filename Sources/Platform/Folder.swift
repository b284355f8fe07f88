internal import Glibc

/// Folders, made private and brought to the disk.
package enum Folder {
  /// Makes a folder of a name that nobody else has, with mode 0700 (`mkdtemp(3)`).
  /// - Parameter prefix: the path up to where the name is made up.
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

  /// Brings the names in a folder to the disk: what makes a `rename(2)` survive a power cut.
  package static func sync(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      try Descriptor.open(path, O_RDONLY | O_DIRECTORY).sync()
    } catch { throw error.about(path) }
  }

  /// The names in a folder, sorted, without `.` and `..` (`readdir(3)`).
  package static func names(in path: String) throws(SystemError) -> [String] {
    guard let stream = unsafe opendir(path) else { throw SystemError(call: "opendir", code: errno, subject: path) }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// The path above, or `nil` at the root and for a bare name.
  package static func parent(of path: String) -> String? {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else { return nil }
    return String(path[..<slash])
  }
}
