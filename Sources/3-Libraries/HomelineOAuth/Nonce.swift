public import Cryptography
internal import Glibc
public import OAuthValues

extension OAuth {
  /// A string that is unique among requests with the same timestamp, client and token (RFC 5849 §3.3).
  public struct Nonce: Sendable, Hashable, CustomStringConvertible {
    /// The value of `oauth_nonce`.
    public let text: String

    /// Creates a nonce from a given string, such as one in a published test vector.
    public init(_ text: String) {
      self.text = text
    }

    /// Creates a nonce from 128 random bits from `RAND_bytes(3)`, written as 32 hexadecimal digits.
    ///
    /// - Throws: ``CryptographyError`` if the random generator fails. There is no fallback, because sending no request is better than using
    ///   a nonce that can be guessed.
    public static func random() throws(CryptographyError) -> Nonce {
      Nonce(bytes: try RandomBytes.generate(byteCount))
    }

    private static let byteCount = 16

    /// Creates a nonce from bytes, written as hexadecimal digits.
    init(bytes: [UInt8]) {
      let digits = unsafe ("0123456789abcdef" as StaticString).utf8Start
      text = unsafe String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
        for (index, byte) in bytes.enumerated() {
          unsafe text[2 * index] = digits[Int(byte >> 4)]
          unsafe text[2 * index + 1] = digits[Int(byte & 15)]
        }
        return 2 * bytes.count
      }
    }

    /// The value of ``text``.
    public var description: String { text }
  }
}

extension OAuth {
  /// The nonce and timestamp that make a request unique (RFC 5849 §3.3).
  ///
  /// Each request needs a new value, even if it repeats another request. Servers refuse a repeated value as a replay.
  public struct NonceTimestamp: Sendable, Hashable {
    /// The time in seconds since 1970, according to the server's clock if its offset is known (``OAuth/ClockOffset``).
    public let timestamp: Int64
    /// The nonce.
    public let nonce: Nonce

    /// Creates a value from a timestamp and a nonce.
    public init(timestamp: Int64, nonce: Nonce) {
      self.timestamp = timestamp
      self.nonce = nonce
    }

    /// Creates a value with a random nonce.
    ///
    /// - Parameter timestamp: seconds since 1970. The default is the current time on this machine's clock.
    /// - Throws: ``CryptographyError`` if the random generator fails.
    public static func random(timestamp: Int64 = SystemClock.seconds) throws(CryptographyError) -> NonceTimestamp {
      NonceTimestamp(timestamp: timestamp, nonce: try Nonce.random())
    }
  }
}

/// This machine's clock, for callers that do not pass a time.
@usableFromInline enum SystemClock {
  /// The current time in seconds since 1970 (time(2)).
  @usableFromInline static var seconds: Int64 { Int64(time(nil)) }
}

// Short names for this package's other targets. Other packages use the names in the `OAuth` namespace.
package typealias Nonce = OAuth.Nonce
package typealias NonceTimestamp = OAuth.NonceTimestamp
