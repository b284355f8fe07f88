internal import Glibc

/// The only owner of a file descriptor. It closes the descriptor when it is released.
package struct Descriptor: ~Copyable {
  /// The number, for calls that borrow it. Never close it.
  package let number: Int32

  /// Takes ownership of a descriptor that no other code will close.
  package init(owning number: Int32) { self.number = number }

  deinit { _ = Glibc.close(number) }

  /// Closes the descriptor and reports whether the kernel accepted everything written (`close(2)`: EIO, ENOSPC on some
  /// file systems).
  package consuming func close() throws(SystemError) {
    let number = number
    discard self
    // Not repeated after EINTR: Linux has already released the number.
    if Glibc.close(number) == -1, errno != EINTR { throw SystemError(call: "close", code: errno) }
  }

  /// Gives up ownership: from now on, the caller must close the descriptor.
  package consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// Opens a file, close-on-exec (`open(2)`).
  package static func open(_ path: String, _ flags: Int32, mode: UInt32 = 0) throws(SystemError) -> Descriptor {
    Descriptor(owning: try check("open", path) { unsafe Glibc.open(path, flags | O_CLOEXEC, mode) })
  }

  /// Writes all bytes, in as many steps as needed (`write(2)`).
  package borrowing func write(_ bytes: [UInt8]) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let number = number
      let step = try check("write") {
        unsafe bytes.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress! + done, $0.count - done) }
      }
      done += step
    }
  }

  /// Reads to the end of the file (`read(2)`).
  /// - Throws: EFBIG if there are more than `limit` bytes.
  package borrowing func readToEnd(limit: Int) throws(SystemError) -> [UInt8] {
    let number = number
    // The size of a regular file is known; anything else, and a growing file, is read in chunks.
    var facts = stat()
    let known = unsafe fstat(number, &facts) == 0 ? max(0, min(Int(facts.st_size), limit)) : 0
    var bytes = try readBeginning(known)
    var chunk = [UInt8](repeating: 0, count: known > 0 ? 4096 : 65536)
    while true {
      let count = try check("read") {
        unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress, $0.count) }
      }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      if bytes.count > limit { throw SystemError(call: "read", code: EFBIG) }
    }
  }

  /// Sets the file's mode (`fchmod(2)`).
  package borrowing func setMode(_ mode: UInt32) throws(SystemError) {
    let number = number
    try check("fchmod") { fchmod(number, mode) }
  }

  /// Writes the content to disk (`fsync(2)`). After a failure, the file must be written again, not just synced.
  package borrowing func sync() throws(SystemError) {
    let number = number
    try check("fsync") { fsync(number) }
  }
}

extension Descriptor {
  /// Reads and appends bytes until there are this many in total, or the file ends (`read(2)`).
  /// - Returns: whether the end was reached.
  package borrowing func fill(_ bytes: inout [UInt8], upTo count: Int) throws(SystemError) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 65536)
    while bytes.count < count {
      let number = number
      let wanted = min(chunk.count, count - bytes.count)
      let step = try check("read") {
        unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress, wanted) }
      }
      if step == 0 { return true }
      bytes += chunk[..<step]
    }
    return false
  }

  /// Reads at an offset until the buffer is full, or the file ends. The descriptor's position does not change (`pread(2)`).
  /// - Returns: the number of bytes read.
  package borrowing func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int {
    let number = number
    var done = 0
    while done < buffer.count {
      let step = try check("pread") {
        unsafe pread(number, buffer.baseAddress! + done, buffer.count - done, offset + done)
      }
      if step == 0 { break }
      done += step
    }
    return done
  }

  /// Reads this many bytes, or fewer at the end of the file (`read(2)`).
  package borrowing func readBeginning(_ count: Int) throws(SystemError) -> [UInt8] {
    // All threads share one empty array, and the initialiser below would write to its length.
    guard count > 0 else { return [] }
    let number = number
    var failure: SystemError?
    // This avoids copying: whole published files are read this way.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      while done < count {
        do throws(SystemError) {
          let step = try check("read") { unsafe Glibc.read(number, buffer.baseAddress! + done, count - done) }
          if step == 0 { return }
          done += step
        } catch {
          failure = error
          return
        }
      }
    }
    if let failure { throw failure }
    return bytes
  }
}

/// Standard input.
extension Descriptor {
  /// Returns a copy of standard input, which itself stays open.
  package static func standardInput() throws(SystemError) -> Descriptor {
    Descriptor(owning: try check("fcntl", "standard input") { fcntl(0, F_DUPFD_CLOEXEC, 3) })
  }

  /// Makes these bytes the standard input of this process, and of the program that replaces it.
  /// - Parameter bytes: at most 65536, the number that a pipe without a reader can hold (pipe(7)).
  package static func replaceStandardInput(with bytes: [UInt8]) throws(SystemError) {
    precondition(bytes.count <= 65536, "a pipe holds them")
    var ends: [Int32] = [0, 0]
    try check("pipe") { unsafe pipe(&ends) }
    let reading = Descriptor(owning: ends[0])
    let writing = Descriptor(owning: ends[1])
    try writing.write(bytes)
    try writing.close()
    let number = reading.number
    try check("dup2", "standard input") { dup2(number, 0) }
  }
}
