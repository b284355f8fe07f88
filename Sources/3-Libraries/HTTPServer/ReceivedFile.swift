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

  /// Calls a function with the content in pieces, in their order.
  func forEachPiece(_ body: (ArraySlice<UInt8>) -> Void) throws(SystemError) {
    var piece = [UInt8](repeating: 0, count: min(size, 64 * 1024))
    var offset = 0
    while offset < size {
      var (count, failure): (Int, SystemError?) = (0, nil)
      unsafe piece.withUnsafeMutableBytes { buffer in
        do throws(SystemError) { count = try unsafe read(at: offset, into: buffer) } catch { failure = error }
      }
      if let failure { throw failure }
      // After a write that failed, the file may be longer than its content.
      count = min(count, size - offset)
      guard count > 0 else { return }
      body(piece[..<count])
      offset += count
    }
  }
}
