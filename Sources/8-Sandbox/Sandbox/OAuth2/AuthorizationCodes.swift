internal import Time

/// The issued authorisation codes. They are remembered long after they have expired.
struct AuthorizationCodes: Sendable {
  /// The grant behind a code.
  struct Entry: Sendable {
    let clientID: String
    let redirect: String
    let scopes: [String]
    let challenge: CodeChallenge?
    let issuedAt: Timestamp
    /// The token family that the code was exchanged for.
    var family: Int?
  }

  /// The minimum time to remember a code, so that its reuse is detected.
  private static let memory: Duration = .seconds(3600)
  /// The maximum number of codes, far more than there are logins in an hour. Beyond it, the oldest codes are discarded.
  private static let capacity = 1_000

  private var entries: [String: Entry] = [:]

  subscript(code: String) -> Entry? { entries[code] }

  mutating func issue(_ entry: Entry) -> String {
    if entries.count >= Self.capacity {
      entries = entries.filter { $0.value.issuedAt + Self.memory > entry.issuedAt }
    }
    if entries.count >= Self.capacity, let oldest = entries.min(by: { $0.value.issuedAt < $1.value.issuedAt })?.key {
      entries[oldest] = nil
    }
    let code = RandomText.token()
    entries[code] = entry
    return code
  }

  mutating func use(_ code: String, for family: Int) { entries[code]?.family = family }
}
