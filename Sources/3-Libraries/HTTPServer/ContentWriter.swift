internal import Glibc
internal import HTTP
internal import Platform

/// Writes the content of a request into a file without a name.
struct ContentWriter: ~Copyable {
  /// The space that a request leaves free on the file system, so that tokens and posts can still be stored.
  private static let reserve: Int64 = 64 << 20

  private let descriptor: Descriptor
  private var size = 0

  /// Creates the file, with mode 0600, and removes its name immediately.
  /// - Parameter length: how much will be written at most, in bytes.
  /// - Throws: 507 if the file system has too little space; 500 if the file cannot be created.
  init(in folder: String, length: Int) throws(RequestError) {
    do throws(SystemError) {
      let free = try FreeSpace.of(folder).bytes
      guard free - Int64(length) >= Self.reserve else { throw SystemError(call: "statvfs", code: ENOSPC) }
      descriptor = try Self.file(in: folder)
    } catch { throw Self.failure(error) }
  }

  private static func file(in folder: String) throws(SystemError) -> Descriptor {
    let path = "\(folder)/.request-\(getpid())"
    let descriptor = try open(path)
    try File.remove(path)
    return descriptor
  }

  private static func open(_ path: String) throws(SystemError) -> Descriptor {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
    do throws(SystemError) { return try Descriptor.open(path, flags, mode: 0o600) } catch {
      guard error.isExisting else { throw error }
      // A process with the same id was killed before it could remove the name.
      try File.remove(path)
      return try Descriptor.open(path, flags, mode: 0o600)
    }
  }

  /// - Throws: 507 if there is no space left; 500 if writing fails.
  mutating func append(_ piece: [UInt8]) throws(RequestError) {
    do throws(SystemError) { try descriptor.write(piece) } catch { throw Self.failure(error) }
    size += piece.count
  }

  consuming func finish() -> ReceivedFile { ReceivedFile(owning: descriptor, size: size) }

  private static func failure(_ error: SystemError) -> RequestError {
    guard error.isOutOfSpace else { return RequestError(.internalServerError, "the content could not be stored") }
    return RequestError(
      .insufficientStorage, "there is too little free disk space for the content; free some and try again")
  }
}
