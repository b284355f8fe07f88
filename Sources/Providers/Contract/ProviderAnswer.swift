package import CivilTime
package import HomelineOAuth
internal import Timeline

/// A provider's answer, and by our clock when it came.
package struct ProviderAnswer: Sendable {
  package let status: Int
  /// Decompressed.
  package let body: [UInt8]
  /// By this machine's clock.
  package let receivedAt: Timestamp
  /// The time that the request was signed with: this machine's, with what is known of the provider's clock put right.
  package let signedAt: Timestamp
  /// Takes the account's secrets out of all that is quoted from it.
  package let hiding: Redaction
  private let fields: @Sendable (String) -> String?

  /// - Parameters:
  ///   - hiding: knows the secrets that the provider has, and may repeat.
  ///   - header: the value of a header by its lower-case name.
  package init(
    status: Int, body: [UInt8], receivedAt: Timestamp, signedAt: Timestamp? = nil, hiding: Redaction,
    header: @escaping @Sendable (String) -> String?
  ) {
    self.status = status
    self.body = body
    self.receivedAt = receivedAt
    self.signedAt = signedAt ?? receivedAt
    self.hiding = hiding
    fields = header
  }

  /// The value of a header without white space around it; `nil` when it is not there or empty.
  package func header(_ name: String) -> String? {
    guard let value = fields(name) else { return nil }
    let bytes = value.utf8.drop { $0 == 0x20 || $0 == 0x09 }.reversed().drop { $0 == 0x20 || $0 == 0x09 }.reversed()
    return bytes.isEmpty ? nil : String(decoding: Array(bytes), as: UTF8.self)
  }

  var isSuccess: Bool { (200..<300).contains(status) }

  /// The time at the server when it answered (RFC 9110 §6.6.1).
  package var serverTime: Timestamp? { header("date").flatMap { Timestamp(imfFixdate: $0) } }

  /// A moment of the server's clock, by ours.
  func local(_ serverMoment: Timestamp) -> Timestamp {
    guard let serverTime else { return serverMoment }
    return serverMoment - (serverTime - receivedAt)
  }
}

extension Answer {
  /// What of a provider's answer the OAuth side looks at.
  /// - Parameter readsChallenges: whether its `WWW-Authenticate` counts.
  package init(_ answer: ProviderAnswer, readsChallenges: Bool = true) {
    let challenges = readsChallenges ? answer.header("www-authenticate") : nil
    self.init(
      status: answer.status, challenges: challenges.map { [$0] } ?? [], body: answer.body, hiding: answer.hiding)
  }
}

extension ProviderAnswer {
  /// What is taken for the window where the provider does not say when it ends, or says nonsense: that of Twitter's API,
  /// longer than most, so that the guess is rather slow than impolite.
  static let assumedWindow = Duration.seconds(900)

  /// Beyond this no server's word is taken: no known window is longer than a day.
  static let longestWait = Duration.seconds(86_400)

  /// `x-rate-limit-limit`, `-remaining` and `-reset` (Twitter), or the same with `x-ratelimit-` (GoToSocial and others).
  ///
  /// The reset is a moment of the server's clock (seconds since 1970, or an RFC 3339 time), put right by the `Date` header, or a
  /// number of seconds to go. One that is missing, past or more than a day ahead becomes `assumedWindow` from now: also for a
  /// machine whose clock is wrong and a server that sends no `Date`. Without `remaining` there is no limit to tell, but on a
  /// 429, where it is 0.
  var rateLimit: RateLimit? {
    guard let remaining = limitHeader("remaining").flatMap({ Int($0) }) ?? (isLimited ? 0 : nil) else { return nil }
    let limit = limitHeader("limit").flatMap { Int($0) }
    return RateLimit(limit: limit.flatMap { $0 < 0 ? nil : $0 }, remaining: max(0, remaining), reset: reset)
  }

  /// 429, or Twitter's older 420.
  private var isLimited: Bool { status == 429 || status == 420 }

  private func limitHeader(_ name: String) -> String? {
    header("x-rate-limit-\(name)") ?? header("x-ratelimit-\(name)")
  }

  private var reset: Timestamp {
    guard let text = limitHeader("reset"), let told = moment(text), told > receivedAt,
      told - receivedAt <= Self.longestWait
    else { return receivedAt + Self.assumedWindow }
    return told
  }

  /// A reset header's moment by our clock. No clock shows a moment of the year 1970, so a small number is a duration.
  private func moment(_ text: String) -> Timestamp? {
    if let seconds = Int64(text) {
      guard (0..<100_000_000_000).contains(seconds) else { return nil }
      return seconds <= 86_400 ? receivedAt + .seconds(seconds) : local(Timestamp(seconds: seconds))
    }
    return Timestamp(rfc3339: text).map(local)
  }

  /// `Retry-After` as a moment of our clock: seconds, or a date (RFC 9110 §10.2.3); `nil` when it is missing, nonsense or past,
  /// and never more than a day ahead.
  package var retryAfter: Timestamp? {
    guard let text = header("retry-after") else { return nil }
    if let seconds = Int64(text) {
      guard seconds >= 0 else { return nil }
      return receivedAt + min(.seconds(min(seconds, 86_400)), Self.longestWait)
    }
    guard let date = Timestamp(imfFixdate: text).map(local), date > receivedAt else { return nil }
    return min(date, receivedAt + Self.longestWait)
  }

  /// When to ask again after a limit was met: what `Retry-After` says, else the reset.
  var limitEnd: Timestamp { retryAfter ?? reset }
}
