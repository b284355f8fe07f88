internal import COpenSSL

/// A text that no other request with the same timestamp, client and token has (RFC 5849 §3.3).
public struct Nonce: Sendable, Hashable, CustomStringConvertible {
  /// What is sent as `oauth_nonce`.
  public let text: String

  /// Takes a given text: published vectors and a user's `--nonce` fix it.
  public init(_ text: String) {
    self.text = text
  }

  /// Draws 128 random bits from `RAND_bytes(3)` and writes them as 32 hexadecimal digits.
  ///
  /// - Throws: ``CryptographyError`` when the source has nothing to give. There is no second source: a guessable nonce
  ///   would be worse than no request.
  public static func random() throws(CryptographyError) -> Nonce {
    try random { bytes in
      ERR_clear_error()
      return unsafe RAND_bytes(&bytes, Int32(bytes.count))
    }
  }

  /// The same from a given source, which fills the bytes and returns 1, or anything else when it could not.
  package static func random(filledBy fill: (inout [UInt8]) -> Int32) throws(CryptographyError) -> Nonce {
    var bytes = [UInt8](repeating: 0, count: 16)
    guard fill(&bytes) == 1 else { throw .taken(after: "RAND_bytes") }
    let digits = Array("0123456789abcdef".utf8)
    return Nonce(String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self))
  }

  /// The same as ``text``.
  public var description: String { text }
}
