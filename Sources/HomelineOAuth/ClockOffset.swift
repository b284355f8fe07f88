extension OAuth {
  /// How far this machine's clock is from a server's, learnt from the server's own words (RFC 5849 §3.3).
  public struct ClockOffset: Sendable, Hashable {
    /// What is added to the local time to get the server's, in seconds.
    public private(set) var seconds: Int64

    /// Beyond this many seconds the user should hear of it: a clock kept by NTP is never so far off, and servers begin to
    /// refuse at some minutes.
    public static let tolerance: UInt64 = 60

    /// Starts with the clock taken for right.
    public init() {
      seconds = 0
    }

    /// Learns from a moment at the server, such as its `Date` header, and the local time when it was heard; both in seconds
    /// since 1970. Times that no clock can show (negative ones) are ignored.
    public mutating func learn(server: Int64, local: Int64) {
      guard server >= 0, local >= 0 else { return }
      seconds = server - local
    }

    /// The timestamp to sign with at this local time.
    public func correctedTimestamp(local: Int64) -> Int64 {
      let (sum, overflow) = local.addingReportingOverflow(seconds)
      return overflow ? local : sum
    }

    /// Whether the difference is more than a minute, in either direction.
    public var isLarge: Bool { seconds.magnitude > Self.tolerance }

    /// What to tell the user, nil while the difference is small.
    public var warning: String? {
      guard isLarge else { return nil }
      let direction = seconds > 0 ? "behind" : "ahead of"
      return "This machine's clock is \(seconds.magnitude) s \(direction) the provider's."
    }
  }
}

/// The server's own time where a refusal tells it.
enum ServerTime {
  /// Up to the end of the year 9999. What is larger is no clock's time, and no sum with it need fit.
  private static let limit: Int64 = 253_402_300_799

  /// Seconds since 1970 out of `Expired timestamp, yours 1, ours 2` (GNU social and others on the same library), or the
  /// middle of the accepted range, `(accepted: 1-3)`; nil when there is none.
  static func find(in text: String) -> Int64? {
    let words = ASCII.lowercased(text).utf8
      .split { !ASCII.isLetter($0) && !ASCII.isDigit($0) }
      .map { String($0) ?? "" }
    if let ours = numbers(after: "ours", in: words).first { return ours }
    let accepted = numbers(after: "accepted", in: words)
    guard accepted.count == 2, accepted[0] <= accepted[1] else { return nil }
    return accepted[0] + (accepted[1] - accepted[0]) / 2
  }

  /// The positive integers that follow a word directly; one that is no moment ends them.
  private static func numbers(after word: String, in words: [String]) -> [Int64] {
    guard let place = words.firstIndex(of: word) else { return [] }
    let following = words[(place + 1)...].lazy.map { Int64($0) }.prefix { $0.map { $0 <= limit } ?? false }
    return following.compactMap(\.self)
  }
}

// The short name for the other targets of this package; programs outside it see the namespace only.
package typealias ClockOffset = OAuth.ClockOffset
