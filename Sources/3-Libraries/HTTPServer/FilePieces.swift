internal import Platform

/// The buffer for pieces of files that a server's connections send, one at a time. It exists from the first such piece on.
///
/// sendfile(2) would save the copy, but raises SIGPIPE when the client has closed the connection.
final class FilePieces {
  private static let size = 65536
  private var bytes: [UInt8] = []

  /// Sends the next piece, as much as the socket accepts of 64 KiB. Other connections have their turn before the next piece.
  /// - Returns: as ``StreamSocket/send(_:to:)``; nil also if the file cannot be read or has ended early.
  func send(_ rest: FileBody.Rest, to number: Int32) -> Int? {
    if bytes.isEmpty { bytes = [UInt8](repeating: 0, count: Self.size) }
    let wanted = min(rest.count, Self.size)
    let read = try? unsafe bytes.withUnsafeMutableBytes { buffer throws(SystemError) in
      try unsafe rest.body.descriptor.read(
        at: rest.offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
    }
    guard read == wanted else { return nil }
    return StreamSocket.send(bytes[..<wanted], to: number)
  }
}
