extension OAuth {
  /// The difference between this machine's clock and a server's clock, as learnt from the server's responses (RFC 5849 §3.3).
  public struct ClockOffset: Sendable, Hashable {
    /// The number of seconds to add to the local time.
    public private(set) var seconds: Int64

    /// The clock difference, in seconds, beyond which the user should be warned. A clock synchronised by NTP is far more accurate, and
    /// servers reject timestamps that are off by a few minutes.
    public static let tolerance: UInt64 = 60

    /// Creates a difference of zero.
    public init() {
      seconds = 0
    }

    /// Updates the difference from the server's time, such as the `Date` header of a response, and the local time at which the response
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

/// Finds the server's time in an error message.
enum ServerTime {
  /// The end of the year 9999. Larger numbers are not treated as times, because arithmetic on them could overflow.
  private static let limit: Int64 = 253_402_300_799

  /// Returns the seconds since 1970 in `Expired timestamp, yours 1, ours 2` (sent by GNU social and others), or the middle of the range in
  /// `(accepted: 1-3)`. Returns nil if the message contains neither.
  static func find(in text: String) -> Int64? {
    let tokens = ASCII.lowercased(text).utf8
      .split { !ASCII.isLetter($0) && !ASCII.isDigit($0) }
      .map { String($0) ?? "" }
    if let ours = numbers(after: "ours", in: tokens).first { return ours }
    let accepted = numbers(after: "accepted", in: tokens)
    guard accepted.count == 2, accepted[0] <= accepted[1] else { return nil }
    return accepted[0] + (accepted[1] - accepted[0]) / 2
  }

  /// Returns the numbers that directly follow a word, up to the first number that is not a time.
  private static func numbers(after word: String, in tokens: [String]) -> [Int64] {
    guard let index = tokens.firstIndex(of: word) else { return [] }
    let following = tokens[(index + 1)...].lazy.map { Int64($0) }.prefix { $0.map { $0 <= limit } ?? false }
    return following.compactMap(\.self)
  }
}

// A short name for this package's other targets. Other packages use the one in the namespace `OAuth`.
package typealias ClockOffset = OAuth.ClockOffset
