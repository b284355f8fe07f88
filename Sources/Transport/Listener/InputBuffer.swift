internal import Glibc
internal import Platform

/// Where a server's connections are read into, one after the other, so that none of them holds more than what has come.
@safe final class InputBuffer {
  /// The largest head of a request in one go.
  private static let size = 16384
  private let bytes: UnsafeMutableRawBufferPointer

  init() { unsafe bytes = .allocate(byteCount: Self.size, alignment: 16) }

  deinit { unsafe bytes.deallocate() }

  /// Reads what is there (recv(2)), at most 16 KiB.
  func receive(from number: Int32) -> StreamSocket.Received {
    do throws(SystemError) {
      let count = try check("recv") { unsafe recv(number, bytes.baseAddress, bytes.count, 0) }
      return count == 0 ? .ended : .bytes(unsafe [UInt8](bytes[..<count]))
    } catch { return error.isBlocked ? .blocked : .failed }
  }
}
