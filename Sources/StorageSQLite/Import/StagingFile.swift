internal import Glibc
internal import Platform

/// A file of mode 0600 that is written under a temporary name and renamed when it is complete (`rename(2)`).
struct StagingFile: ~Copyable {
  private let path: String
  private let new: String
  private let descriptor: Descriptor
  private var buffer: [UInt8] = []

  init(_ path: String) throws(SystemError) {
    self.path = path
    new = "\(path).new-\(getpid())"
    try File.remove(new)
    descriptor = try Descriptor.open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
  }

  mutating func append(line: [UInt8]) throws(SystemError) {
    buffer += line
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count > 256 << 10 { try flush() }
  }

  private mutating func flush() throws(SystemError) {
    do throws(SystemError) { try descriptor.write(buffer) } catch { throw error.about(path) }
    buffer = []
  }

  mutating func finish() throws(SystemError) {
    try flush()
    do throws(SystemError) { try descriptor.sync() } catch { throw error.about(path) }
    try File.rename(new, to: path)
  }

  /// Removes the file.
  func abandon() { try? File.remove(new) }
}
