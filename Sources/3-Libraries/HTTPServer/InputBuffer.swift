internal import Platform
internal import Glibc

/// The buffer that a server's connections read into, one at a time, so that an idle connection needs no buffer.
@safe final class InputBuffer {
  /// The maximum number of bytes that a single read returns, which is also the size of the largest request head.
  private static let size = 16384
  private let bytes: UnsafeMutableRawBufferPointer

  init() { unsafe bytes = .allocate(byteCount: Self.size, alignment: 16) }

  deinit { unsafe bytes.deallocate() }

  /// Reads the available bytes, at most 16 KiB (recv(2)).
  func receive(from number: Int32) -> StreamSocket.Received {
    do throws(SystemError) {
      let count = try check("recv") { unsafe recv(number, bytes.baseAddress, bytes.count, 0) }
      return count == 0 ? .ended : .bytes(unsafe [UInt8](bytes[..<count]))
    } catch { return error.isBlocked ? .blocked : .failed }
  }
}
