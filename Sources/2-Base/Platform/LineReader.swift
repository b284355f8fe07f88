internal import Glibc

/// Reads a file or stream line by line, with at most one line and one chunk in memory.
package struct LineReader: ~Copyable {
  /// The reason there is no next line.
  package enum ReadError: Error, Hashable {
    case system(SystemError)
    /// The line is longer than the limit.
    case tooLong
  }

  private let descriptor: Descriptor
  /// The maximum number of bytes in a line.
  package let limit: Int
  private var chunk: [UInt8] = []
  private var start = 0
  private var isAtEnd = false
  /// The total number of bytes in the lines so far, including line feeds.
  package private(set) var offset: Int

  /// - Parameters:
  ///   - limit: the maximum number of bytes in a line, excluding its line feed.
  ///   - offset: the byte where reading a file starts; 0 for a stream.
  package init(_ descriptor: consuming Descriptor, limit: Int, from offset: Int = 0) throws(SystemError) {
    let number = descriptor.number
    if offset > 0 { try check("lseek") { lseek(number, off_t(offset), SEEK_SET) } }
    self.descriptor = descriptor
    self.limit = limit
    self.offset = offset
  }

  /// Reads standard input, which stays open.
  package static func standardInput(limit: Int) throws(SystemError) -> LineReader {
    try LineReader(Descriptor.standardInput(), limit: limit)
  }

  /// Returns whether the next bytes are equal to the given ones. Does not consume them.
  package mutating func begins(with bytes: [UInt8]) throws(ReadError) -> Bool {
    while chunk.count - start < bytes.count, !isAtEnd { try fill() }
    return chunk[start...].starts(with: bytes)
  }

  /// Returns the next line without its line feed; `nil` at the end. The last line need not have one.
  package mutating func next() throws(ReadError) -> [UInt8]? {
    var searched = start
    while true {
      if let end = chunk[searched...].firstIndex(of: UInt8(ascii: "\n")) { return try take(upTo: end, and: 1) }
      if isAtEnd { return start == chunk.count ? nil : try take(upTo: chunk.count, and: 0) }
      if chunk.count - start > limit { throw .tooLong }
      searched = chunk.count - start
      try fill()
    }
  }

  private mutating func take(upTo end: Int, and feed: Int) throws(ReadError) -> [UInt8] {
    if end - start > limit { throw .tooLong }
    let line = Array(chunk[start..<end])
    start = end + feed
    offset += line.count + feed
    return line
  }

  /// Reads the next chunk after moving the unread bytes to the beginning of the buffer.
  private mutating func fill() throws(ReadError) {
    chunk.removeFirst(start)
    start = 0
    let number = descriptor.number
    let kept = chunk.count
    chunk += repeatElement(0, count: 65536)
    do throws(SystemError) {
      let count = try check("read") {
        unsafe chunk.withUnsafeMutableBytes { unsafe read(number, $0.baseAddress! + kept, $0.count - kept) }
      }
      chunk.removeLast(chunk.count - kept - count)
      if count == 0 { isAtEnd = true }
    } catch {
      chunk.removeLast(chunk.count - kept)
      throw .system(error)
    }
  }
}
