/// What makes a request unlike every other: when it was signed, and its nonce (RFC 5849 §3.3).
///
/// A request that is sent again needs a new one: the same stamp twice is a replay, and servers refuse it.
public struct Stamp: Sendable, Hashable {
  /// Seconds since 1970, by the server's clock as far as it is known (``ClockOffset``).
  public let timestamp: Int64
  /// The nonce.
  public let nonce: Nonce

  /// Puts both together.
  public init(timestamp: Int64, nonce: Nonce) {
    self.timestamp = timestamp
    self.nonce = nonce
  }

  /// A stamp for this second with a random nonce.
  ///
  /// - Throws: ``CryptographyError`` when there are no random bytes.
  public static func random(timestamp: Int64) throws(CryptographyError) -> Stamp {
    Stamp(timestamp: timestamp, nonce: try Nonce.random())
  }
}
