extension OAuth {
  /// The difference between this machine's clock and a server's clock, as learnt from the server's responses (RFC 5849 §3.3).
  public struct ClockOffset: Sendable, Hashable {
    /// The number of seconds to add to the local time.
    public private(set) var seconds: Int64

    /// The clock difference, in seconds, beyond which the user should be warned. A clock synchronised by NTP is far more accurate, and
    /// servers refuse timestamps that are a few minutes off.
    public static let tolerance: UInt64 = 60

    /// Creates a difference of zero.
    public init() {
      seconds = 0
    }

    /// Updates the difference from the server's time, such as the `Date` header of a response, and the local time when the response
    /// arrived. Both times are in seconds since 1970; negative values are ignored.
    public mutating func learn(server: Int64, local: Int64) {
      guard server >= 0, local >= 0 else { return }
      seconds = server - local
    }

    /// Returns the timestamp to sign with at the given local time.
    public func correctedTimestamp(local: Int64) -> Int64 {
      let (sum, overflow) = local.addingReportingOverflow(seconds)
      return overflow ? local : sum
    }

    /// Whether the difference exceeds ``tolerance`` in either direction.
    public var isLarge: Bool { seconds.magnitude > Self.tolerance }

    /// A warning for the user; nil while the difference is small.
    public var warning: String? {
      guard isLarge else { return nil }
      let direction = seconds > 0 ? "behind" : "ahead of"
      return "This machine's clock is \(seconds.magnitude) s \(direction) the provider's."
    }
  }
}

// A short name for this package's other targets. Other packages use the name in the `OAuth` namespace.
package typealias ClockOffset = OAuth.ClockOffset
