internal import CivilTime
internal import HTTP
internal import JSON

/// Devices that wait for their user (RFC 8628).
struct DeviceBook: Sendable {
  enum Decision: Sendable { case none, allowed, denied, exchanged }

  /// What a device code stands for.
  struct Entry: Sendable {
    let clientID: String
    let scopes: [String]
    let userCode: String
    let expiresAt: Timestamp
    /// How long the device must wait between two questions; grows when it does not.
    var interval: Duration
    var askedAt: Timestamp?
    var decision = Decision.none
  }

  /// More than any test has; the first to expire give way.
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

  /// By the letters that the user typed, in whatever case, with or without the stroke (§6.1).
  func waiting(_ typed: String, at now: Timestamp) -> (code: String, entry: Entry)? {
    let letters = typed.uppercased().filter(\.isLetter)
    return entries.first {
      $0.value.userCode.filter(\.isLetter) == letters && $0.value.decision == .none && now < $0.value.expiresAt
    }.map { ($0.key, $0.value) }
  }

  mutating func decide(_ code: String, _ decision: Decision) { entries[code]?.decision = decision }

  /// A device asks; nil when it asked too soon, and then the interval grows by 5 s (§3.5).
  mutating func poll(_ code: String, at now: Timestamp) -> Decision? {
    guard var entry = entries[code] else { return nil }
    defer { entries[code] = entry }
    let former = entry.askedAt
    entry.askedAt = now
    if entry.decision == .none, let former, now < former + entry.interval {
      entry.interval += .seconds(5)
      return nil
    }
    return entry.decision
  }
}
