package import HTTP
package import HomelineOAuth
package import Time
internal import Timeline

/// A provider's response, and the local time of its arrival.
package struct ProviderResponse: Sendable {
  /// The parts of the response that OAuth reads: its status, its decompressed body and its challenge.
  package let oauth: OAuthResponse
  /// The time of the response according to this machine's clock.
  package let receivedAt: Timestamp
  /// The time of the signature: the local time, corrected by the known offset of the provider's clock.
  package let signedAt: Timestamp
  private let headers: HeaderFields

  /// - Parameter hiding: contains the secrets that the provider knows and may repeat.
  package init(
    status: Int, body: [UInt8], receivedAt: Timestamp, signedAt: Timestamp? = nil, hiding: Redaction,
    headers: HeaderFields = [:]
  ) {
    let challenge = headers.first("WWW-Authenticate").flatMap { $0.isEmpty ? nil : $0 }
    oauth = OAuthResponse(status: status, challenges: challenge.map { [$0] } ?? [], body: body, hiding: hiding)
    self.receivedAt = receivedAt
    self.signedAt = signedAt ?? receivedAt
    self.headers = headers
  }

  package var status: Int { oauth.status ?? 0 }

  /// The decompressed body.
  package var body: [UInt8] { oauth.body }

  /// Removes the account's secrets from quoted text.
  package var hiding: Redaction { oauth.hiding }

  /// The parts of the response that OAuth reads, except `WWW-Authenticate`, for APIs whose body is more precise.
  var oauthWithoutChallenge: OAuthResponse { OAuthResponse(status: status, body: body, hiding: hiding) }

  /// Returns the value of a header; `nil` if it is missing or empty.
  package func header(_ name: FieldName) -> String? { headers.first(name).flatMap { $0.isEmpty ? nil : $0 } }

  package var isSuccess: Bool { (200..<300).contains(status) }

  /// The server's time when it responded (RFC 9110 §6.6.1).
  package var serverTime: Timestamp? { header("date").flatMap { Timestamp(imfFixdate: $0) } }

  /// Converts a time on the server's clock to the local clock.
  func local(_ serverMoment: Timestamp) -> Timestamp {
    guard let serverTime else { return serverMoment }
    return serverMoment - (serverTime - receivedAt)
  }
}

extension ProviderResponse {
  /// The length of the window if the provider gives no valid end. It is the length in Twitter's API, which is longer than most: too long a
  /// pause is better than too short a pause.
  static let assumedWindow = Duration.seconds(900)

  /// The maximum accepted wait: no known window is longer than a day.
  static let longestWait = Duration.seconds(86_400)

  /// `x-rate-limit-limit`, `-remaining` and `-reset` (Twitter), or the same names with the prefix `x-ratelimit-` (GoToSocial and other
  /// servers).
  ///
  /// The reset is a number of remaining seconds, or a time on the server's clock (seconds since 1970, or an RFC 3339 time), which is
  /// corrected with the `Date` header. If the reset is missing, past or more than a day ahead, it becomes `assumedWindow` from now. This
  /// also covers a wrong local clock combined with a missing `Date`. Without `remaining`, no limit is known, unless the status is 429: then
  /// 0 requests remain until ``limitEnd``.
  var rateLimit: RateLimit? {
    let limit = limitHeader("limit").flatMap { HeaderNumber.read($0, in: Self.requests) }
    let remaining = limitHeader("remaining").flatMap { HeaderNumber.nearest($0, in: Self.requests) }
    // If requests are left, the refusal is about something else, such as a monthly cap.
    if isLimited, (remaining ?? 0) == 0 { return RateLimit(limit: limit, remaining: 0, reset: limitEnd) }
    guard let remaining else { return nil }
    return RateLimit(limit: limit, remaining: remaining, reset: reset)
  }

  /// The range of request numbers that a header can report.
  private static let requests = 0...1_000_000_000

  /// Whether the status is 429, or Twitter's older 420.
  private var isLimited: Bool { status == 429 || status == 420 }

  private func limitHeader(_ name: String) -> String? {
    ["x-rate-limit-", "x-ratelimit-"].lazy.compactMap { FieldName($0 + name).flatMap(header) }.first
  }

  private var reset: Timestamp {
    guard let text = limitHeader("reset"), let stated = moment(text), stated > receivedAt,
      stated - receivedAt <= Self.longestWait
    else { return receivedAt + Self.assumedWindow }
    return stated
  }

  /// Converts a reset header to a time on the local clock. No clock shows a time in 1970, so a small number is a duration.
  private func moment(_ text: String) -> Timestamp? {
    if let seconds = HeaderNumber.read(text, in: 0...100_000_000_000 as ClosedRange<Int64>) {
      return seconds <= 86_400 ? receivedAt + .seconds(seconds) : local(Timestamp(seconds: seconds))
    }
    return Timestamp(rfc3339: text).map(local)
  }

  /// `Retry-After` as a time on the local clock, given in seconds or as a date (RFC 9110 §10.2.3), at most a day ahead; `nil` if
  /// it is missing, invalid or in the past.
  package var retryAfter: Timestamp? {
    RetryAfter.moment(header("retry-after"), date: serverTime, receivedAt: receivedAt)
  }

  /// The time to retry after a rate limit: `Retry-After`, otherwise the reset time.
  var limitEnd: Timestamp { retryAfter ?? reset }
}
