internal import Glibc
package import Platform

/// An open file to attach. The file is closed when the last reference is released, so each reader holds a reference.
///
/// Each read checks that the file's size and times have not changed since it was opened. A file that replaces it under the same name is not
/// read.
package final class AttachmentFile: Sendable {
  package let path: String
  /// The file's size, modification time and identity when it was opened.
  package let status: FileStatus
  private let descriptor: Descriptor

  package init(_ path: String) throws(AttachmentError) {
    self.path = path
    do throws(SystemError) {
      // Otherwise, opening a pipe would wait for a writer.
      descriptor = try Descriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
      status = try FileStatus.of(descriptor, path: path)
    } catch { throw .system(error.about(path)) }
    guard status.isRegular else { throw .notAFile(path) }
  }

  /// Determines the file's type from its first bytes; nil if the type is unknown.
  package func mediaType() throws(AttachmentError) -> MediaType? {
    MediaType(beginning: try bytes(at: 0, count: min(MediaType.beginningSize, size)))
  }

  /// The file's size in bytes when it was opened.
  package var size: Int { status.size }

  /// Fills a buffer with bytes of the file.
  /// - Throws: `.changed` if the file has changed since it was opened, or if it has too few bytes to fill the buffer.
  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AttachmentError) {
    let count: Int
    let now: FileStatus
    do throws(SystemError) {
      count = try unsafe descriptor.read(at: offset, into: buffer)
      now = try FileStatus.of(descriptor, path: path)
    } catch { throw .system(error.about(path)) }
    // The check follows the read, so that it also notices changes to the bytes just read.
    guard now.isUntouched(since: status), count == buffer.count else { throw .changed(path) }
  }

  /// Reads this many bytes.
  func bytes(at offset: Int, count: Int) throws(AttachmentError) -> [UInt8] {
    guard count > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    var failure: AttachmentError?
    unsafe bytes.withUnsafeMutableBytes { buffer in
      do throws(AttachmentError) { try unsafe read(at: offset, into: buffer) } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }
}
