package import Platform

/// The content of a request that is longer than ``ContentRule/inMemory``, in a file without a name. The file is removed when this value is
/// released.
package final class ReceivedFile: Sendable {
  private let descriptor: Descriptor
  /// The length in bytes.
  package let size: Int

  init(owning descriptor: consuming Descriptor, size: Int) {
    self.descriptor = consume descriptor
    self.size = size
  }

  /// Reads content at an offset until the buffer is full or the content ends.
  /// - Returns: the number of bytes read.
  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try unsafe descriptor.read(at: offset, into: buffer)
  }
}
