internal import Platform

/// A request body read while it is being sent, so that the whole body is never in memory.
@safe package struct StreamedBody: Sendable {
  /// The size in bytes, which is sent as `Content-Length`.
  package let count: Int
  let read: @Sendable (UnsafeMutableRawBufferPointer) throws -> Int

  /// - Parameter read: fills the buffer as far as possible and returns the number of bytes, at least one. The closure is called on the
  ///   client's thread until `count` bytes have been read. An error ends the request with ``ClientError/Kind/local``.
  package init(count: Int, read: @escaping @Sendable (UnsafeMutableRawBufferPointer) throws -> Int) {
    self.count = count
    unsafe self.read = read
  }
}

extension StreamedBody {
  /// Creates a body from bytes in memory.
  package init(_ bytes: [UInt8]) {
    let offset = Locked(0)
    unsafe self.init(count: bytes.count) { space in
      offset.withLock { offset in
        let count = min(space.count, bytes.count - offset)
        unsafe space.copyBytes(from: bytes[offset..<(offset + count)])
        offset += count
        return count
      }
    }
  }

  /// Creates a body from several bodies, which are sent one after the other.
  package init(joining parts: [StreamedBody]) {
    let position = Locked((index: 0, left: parts.first?.count ?? 0))
    unsafe self.init(count: parts.reduce(0) { $0 + $1.count }) { space in
      try position.withLock { position in
        while position.left == 0, position.index + 1 < parts.count {
          position.index += 1
          position.left = parts[position.index].count
        }
        let space = unsafe UnsafeMutableRawBufferPointer(rebasing: space[..<min(space.count, position.left)])
        let count = unsafe try parts[position.index].read(space)
        position.left -= count
        return count
      }
    }
  }
}
