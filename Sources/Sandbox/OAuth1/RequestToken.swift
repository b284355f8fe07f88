internal import CivilTime
internal import HomelineOAuth

/// A request token that says by itself when it was issued and where its user is sent afterwards (RFC 5849 §2.1).
struct RequestToken: Sendable {
  /// Longer callback addresses are refused, since the token travels in the address of the authorise page.
  static let callbackLimit = 2_000

  let text: String
  let issuedAt: Timestamp
  /// nil for `oob`.
  let callback: RequestURL?

  private static let timeLength = 5
  private static let randomLength = 9

  static func issue(
    at now: Timestamp, callback: RequestURL?, by seal: Seal
  ) throws(CryptographyError) -> RequestToken {
    let time = (0..<timeLength).reversed().map { UInt8(truncatingIfNeeded: now.seconds >> (8 * Int64($0))) }
    let random = (0..<randomLength).map { _ in UInt8.random(in: .min ... .max) }
    let payload = Base64URL.encode(time + random + Array((callback?.text ?? "").utf8))
    return RequestToken(
      text: "\(payload).\(try seal.tag(.requestToken, of: payload))", issuedAt: Timestamp(seconds: now.seconds),
      callback: callback)
  }

  private init(text: String, issuedAt: Timestamp, callback: RequestURL?) {
    self.text = text
    self.issuedAt = issuedAt
    self.callback = callback
  }

  /// Reads a token back; nil for one that was not issued under this key.
  init?(_ text: String, under seal: Seal) throws(CryptographyError) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, try seal.isTag(parts[1], .requestToken, of: String(parts[0])),
      let payload = Base64URL.decode(parts[0]), payload.count >= Self.timeLength + Self.randomLength
    else { return nil }
    let address = String(decoding: payload.dropFirst(Self.timeLength + Self.randomLength), as: UTF8.self)
    self.text = text
    issuedAt = Timestamp(seconds: payload.prefix(Self.timeLength).reduce(0) { $0 << 8 | Int64($1) })
    callback = address.isEmpty ? nil : try? RequestURL(address)
  }
}

/// Remembers what was used until it would be refused anyway, and no longer.
///
/// A nonce counts together with its timestamp, and a timestamp older than the window is refused by itself: so the memory of a
/// nonce may end with the window. The same holds for a request token and its life. What is in memory ends with the process:
/// who could repeat a request to the next one has read this user's traffic on loopback, and gets made-up posts for it.
struct ExpiringSet: Sendable {
  enum Insertion { case new, known, full }

  /// An honest client is far below it; beyond it new ones are turned away, never old ones forgotten.
  let capacity: Int
  private(set) var count = 0
  /// By the second in which they expire.
  private var buckets: [Int64: Set<String>] = [:]
  private var swept: Int64 = .min

  init(capacity: Int) { self.capacity = capacity }

  func contains(_ entry: String, until expiry: Timestamp) -> Bool {
    buckets[expiry.seconds]?.contains(entry) ?? false
  }

  /// - Parameter expiry: from then on the entry is refused for its age; the same whenever the same entry comes.
  mutating func insert(_ entry: String, until expiry: Timestamp, at now: Timestamp) -> Insertion {
    sweep(now.seconds)
    if contains(entry, until: expiry) { return .known }
    guard count < capacity else { return .full }
    buckets[expiry.seconds, default: []].insert(entry)
    count += 1
    return .new
  }

  private mutating func sweep(_ now: Int64) {
    guard now > swept else { return }
    swept = now
    for (second, entries) in buckets where second < now {
      buckets[second] = nil
      count -= entries.count
    }
  }
}
