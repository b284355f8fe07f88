internal import CivilTime

/// The authorisation codes that were issued, until they have long expired.
struct CodeBook: Sendable {
  /// What a code stands for.
  struct Entry: Sendable {
    let clientID: String
    let redirect: String
    let scopes: [String]
    let challenge: CodeChallenge?
    let issuedAt: Timestamp
    /// What it was exchanged for.
    var family: Int?
  }

  /// How long a code is known at least, so that one that is shown again is found out.
  private static let memory: Duration = .seconds(3600)
  /// More than anybody agrees to in an hour; the oldest give way.
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

  mutating func spend(_ code: String, on family: Int) { entries[code]?.family = family }
}
