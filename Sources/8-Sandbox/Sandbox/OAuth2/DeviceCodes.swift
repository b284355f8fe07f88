internal import HTTP
internal import JSON
internal import Time

/// The issued device codes (RFC 8628).
struct DeviceCodes: Sendable {
  enum Decision: Sendable { case none, allowed, denied, exchanged }

  /// The grant behind a device code.
  struct Entry: Sendable {
    let clientID: String
    let scopes: [String]
    let userCode: String
    let expiresAt: Timestamp
    /// The time that the device must wait between polls. It grows when the device polls too early.
    var interval: Duration
    var polledAt: Timestamp?
    var decision = Decision.none
  }

  /// The maximum number of codes. Beyond it, the code that expires first is discarded.
  private static let capacity = 100

  private var entries: [String: Entry] = [:]

  subscript(code: String) -> Entry? { entries[code] }

  mutating func issue(_ entry: Entry) -> String {
    if entries.count >= Self.capacity, let first = entries.min(by: { $0.value.expiresAt < $1.value.expiresAt })?.key {
      entries[first] = nil
    }
    let code = RandomText.token()
    entries[code] = entry
    return code
  }

  /// Finds a waiting device by its case-insensitive user code, with or without the hyphen (§6.1).
  func waiting(_ typed: String, at now: Timestamp) -> (code: String, entry: Entry)? {
    let letters = typed.uppercased().filter(\.isLetter)
    return entries.first {
      $0.value.userCode.filter(\.isLetter) == letters && $0.value.decision == .none && now < $0.value.expiresAt
    }.map { ($0.key, $0.value) }
  }

  mutating func decide(_ code: String, _ decision: Decision) { entries[code]?.decision = decision }

  /// Records a poll by a device.
  /// - Returns: `nil` if it polled too early; the interval then grows by 5 s (§3.5).
  mutating func poll(_ code: String, at now: Timestamp) -> Decision? {
    guard var entry = entries[code] else { return nil }
    defer { entries[code] = entry }
    let former = entry.polledAt
    entry.polledAt = now
    if entry.decision == .none, let former, now < former + entry.interval {
      entry.interval += .seconds(5)
      return nil
    }
    return entry.decision
  }
}
