import Glibc

/// A temporary folder for a test, removed with its content in `deinit`.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// - Parameter base: the parent folder; nil means this run's temporary folder, which other users cannot read.
  package init(in base: String? = nil) {
    let base = base ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/homeline-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { fatalError("no temporary folder in \(base): errno \(errno)") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.removeTree(path) }

  private static func removeTree(_ path: String) {
    if let stream = opendir(path) {
      while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name == "." || name == ".." { continue }
        if entry.pointee.d_type == DT_DIR { removeTree("\(path)/\(name)") } else { unlink("\(path)/\(name)") }
      }
      closedir(stream)
    }
    rmdir(path)
  }
}
