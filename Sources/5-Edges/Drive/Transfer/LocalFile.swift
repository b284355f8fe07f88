internal import Glibc
internal import HTTPClient
package import Platform

/// A file to upload. It is read in pieces, so that the whole file is never in memory.
// Sendable because a descriptor can be read at any offset from any thread (pread(2)), and nothing else changes.
package final class LocalFile: @unchecked Sendable {
  package let path: String
  package let facts: FileStatus
  private let descriptor: Descriptor

  package var size: Int { facts.size }

  /// The size of each piece in bytes.
  private static let piece = 256 << 10

  /// - Throws: `SystemError` if there is no regular file at the path, or if the file cannot be opened.
  package init(_ path: String) throws(SystemError) {
    self.path = path
    descriptor = try Descriptor.open(path, O_RDONLY | O_NONBLOCK)
    facts = try FileStatus.of(descriptor, path: path)
    if facts.isFolder {
      throw SystemError(call: "open", code: EISDIR, subject: path, finding: "is a folder; name the files in it")
    }
    guard facts.isRegular else {
      throw SystemError(call: "open", code: EINVAL, subject: path, finding: "not a regular file")
    }
    // The size of some files, such as those in /proc, says nothing about their content.
    var byte: UInt8 = 0
    let (number, end) = (descriptor.number, off_t(facts.size))
    if try check("read", path, { unsafe pread(number, &byte, 1, end) }) > 0 {
      throw SystemError(call: "read", code: EINVAL, subject: path, finding: "longer than the file system says")
    }
  }

  /// Whether the file's size and modification time have not changed since it was opened.
  package var isUnchanged: Bool {
    guard let now = try? FileStatus.of(descriptor, path: path) else { return false }
    return now.fingerprint == facts.fingerprint
  }

  /// Returns the SHA-1 of the content.
  func sha1() throws(DriveError) -> String {
    var state = try TransferHash.begin()
    unsafe try read(0..<size) { unsafe state.update($0) }
    return state.finish()
  }

  /// Returns the CRC-32 of a block.
  func checksum(of range: Range<Int>) throws(DriveError) -> UInt32 {
    var crc = CRC32()
    unsafe try read(range) { unsafe crc.update($0) }
    return crc.value
  }

  /// Returns a part of the file as the body of a request.
  /// - Parameter progress: called with the number of bytes of each piece, on the client's thread.
  func body(_ range: Range<Int>, _ progress: @escaping @Sendable (Int) -> Void) -> StreamedBody {
    let offset = Locked(range.lowerBound)
    return unsafe StreamedBody(count: range.count) { space in
      try offset.withLock { offset in
        let count = unsafe try self.read(at: offset, into: space)
        offset += count
        progress(count)
        return count
      }
    }
  }

  private func read(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Void) throws(DriveError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.piece, alignment: 16)
    defer { unsafe buffer.deallocate() }
    var offset = range.lowerBound
    while offset < range.upperBound {
      let wanted = min(buffer.count, range.upperBound - offset)
      let count: Int
      do throws(SystemError) {
        count = unsafe try read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
      } catch { throw DriveError(.local, "\(error)") }
      if count == 0 { throw DriveError(.changed, "\(path) became shorter while it was being read") }
      unsafe body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += count
    }
  }

  /// Reads bytes at an offset.
  /// - Returns: the number of bytes read; 0 at the end of the file.
  private func read(at offset: Int, into space: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    let number = descriptor.number
    return try check("read", path) { unsafe pread(number, space.baseAddress, space.count, off_t(offset)) }
  }
}
