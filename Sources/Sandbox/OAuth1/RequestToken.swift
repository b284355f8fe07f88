internal import CivilTime
internal import HomelineOAuth

/// A request token (RFC 5849 §2.1). It contains its time of issue and the callback address.
struct RequestToken: Sendable {
  /// The maximum length of a callback address in bytes. It is limited because the token is part of the authorisation page's address.
  static let callbackLimit = 2_000

  let text: String
  let issuedAt: Timestamp
  /// The callback address; `nil` for `oob`.
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

  /// Parses a token. Fails if the token was not issued with this key.
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

/// A set whose entries expire.
///
/// A nonce is valid only together with its timestamp, and old timestamps are rejected, so an entry can be removed once its timestamp is too
/// old. The same applies to request tokens. The entries are not stored on disk. To repeat a request after a restart, an attacker must have
/// read the user's loopback traffic, and would receive only fictional posts.
struct ExpiringSet: Sendable {
  enum Insertion { case new, known, full }

  /// The maximum number of entries, far more than an honest client needs. Beyond it, new entries are rejected; old ones are never
  /// discarded.
  let capacity: Int
  private(set) var count = 0
  /// The entries, keyed by the second in which they expire.
  private var buckets: [Int64: Set<String>] = [:]
  private var swept: Int64 = .min

  init(capacity: Int) { self.capacity = capacity }

  func contains(_ entry: String, until expiry: Timestamp) -> Bool {
    buckets[expiry.seconds]?.contains(entry) ?? false
  }

  /// Inserts an entry.
  /// - Parameter expiry: the time when the entry becomes too old; always the same for the same entry.
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
