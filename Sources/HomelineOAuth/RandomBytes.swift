internal import COpenSSL

/// Bytes that nobody can guess.
enum RandomBytes {
  /// Draws them from `RAND_bytes(3)`.
  ///
  /// - Throws: ``CryptographyError`` when the source has nothing to give. There is no second source.
  static func draw(_ count: Int) throws(CryptographyError) -> [UInt8] {
    try draw(count) { bytes in
      ERR_clear_error()
      return unsafe RAND_bytes(&bytes, Int32(bytes.count))
    }
  }

  /// The same from a given source, which fills the bytes and returns 1, or anything else when it could not.
  static func draw(
    _ count: Int, filledBy fill: (inout [UInt8]) -> Int32
  ) throws(CryptographyError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard fill(&bytes) == 1 else { throw .taken(after: "RAND_bytes") }
    return bytes
  }
}
