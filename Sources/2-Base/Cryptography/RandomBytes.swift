internal import COpenSSL

/// Cryptographically secure random bytes.
package enum RandomBytes {
  /// Returns bytes from `RAND_bytes(3)`.
  ///
  /// - Throws: ``CryptographyError`` if the random generator fails. There is no fallback.
  package static func generate(_ count: Int) throws(CryptographyError) -> [UInt8] {
    try generate(count) { bytes in
      ERR_clear_error()
      return unsafe RAND_bytes(&bytes, Int32(bytes.count))
    }
  }

  /// Returns bytes from a given random generator, which fills the array and returns 1 on success.
  package static func generate(
    _ count: Int, filledBy fill: (inout [UInt8]) -> Int32
  ) throws(CryptographyError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard fill(&bytes) == 1 else { throw .last(from: "RAND_bytes") }
    return bytes
  }
}
