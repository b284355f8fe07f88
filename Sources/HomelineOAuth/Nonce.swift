internal import Glibc

extension OAuth {
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
      Nonce(bytes: try RandomBytes.draw(byteCount))
    }

    /// The same from a given source, which fills the bytes and returns 1, or anything else when it could not.
    package static func random(filledBy fill: (inout [UInt8]) -> Int32) throws(CryptographyError) -> Nonce {
      Nonce(bytes: try RandomBytes.draw(byteCount, filledBy: fill))
    }

    private static let byteCount = 16

    private init(bytes: [UInt8]) {
      let digits = unsafe ("0123456789abcdef" as StaticString).utf8Start
      text = unsafe String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
        for (index, byte) in bytes.enumerated() {
          unsafe text[2 * index] = digits[Int(byte >> 4)]
          unsafe text[2 * index + 1] = digits[Int(byte & 15)]
        }
        return 2 * bytes.count
      }
    }

    /// The same as ``text``.
    public var description: String { text }
  }
}

extension OAuth {
  /// What makes a request unlike every other: when it was signed, and its nonce (RFC 5849 §3.3).
  ///
  /// A request that is sent again needs a new one: the same stamp twice is a replay, and servers refuse it.
  public struct NonceTimestamp: Sendable, Hashable {
    /// Seconds since 1970, by the server's clock as far as it is known (``OAuth/ClockOffset``).
    public let timestamp: Int64
    /// The nonce.
    public let nonce: Nonce

    /// Puts both together.
    public init(timestamp: Int64, nonce: Nonce) {
      self.timestamp = timestamp
      self.nonce = nonce
    }

    /// A stamp with a random nonce.
    ///
    /// - Parameter timestamp: seconds since 1970; the time of this machine's clock if it is left out.
    /// - Throws: ``CryptographyError`` when there are no random bytes.
    public static func random(timestamp: Int64 = SystemClock.seconds) throws(CryptographyError) -> NonceTimestamp {
      NonceTimestamp(timestamp: timestamp, nonce: try Nonce.random())
    }
  }
}

/// This machine's clock, for callers that bring no time of their own.
@usableFromInline enum SystemClock {
  /// Seconds since 1970 (time(2)).
  @usableFromInline static var seconds: Int64 { Int64(time(nil)) }
}

// The short name for the other targets of this package; programs outside it see the namespace only.
package typealias Nonce = OAuth.Nonce
package typealias NonceTimestamp = OAuth.NonceTimestamp
