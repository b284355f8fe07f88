internal import HTTP
internal import Time

/// Rate limits in the headers of each response.
struct MastodonLimits: Sendable {
  private var limiter: RateLimiter
  private let flavour: MastodonFlavour

  init(_ flavour: MastodonFlavour, limit: Int) {
    self.flavour = flavour
    limiter = RateLimiter(limit: limit, length: .seconds(300))
  }

  /// Counts a request with a token. GoToSocial counts the requests of an address, and all clients of the sandbox have the same one.
  /// - Returns: `nil` if the server has no rate limit headers.
  mutating func count(_ token: String, at now: Timestamp) -> RateLimiter.Status? {
    flavour.limitHeaders == nil ? nil : limiter.count(flavour == .goToSocial ? "" : token, at: now)
  }

  /// Adds the limits to a response's headers.
  func write(_ status: RateLimiter.Status, _ reset: MastodonQuirks.Reset?, to response: inout Response) {
    guard let names = flavour.limitHeaders else { return }
    let text =
      switch reset ?? .moment(decimals: flavour.decimals) {
      case .moment(let decimals): MastodonTime.text(status.reset, decimals: decimals)
      case .unixSeconds: String(status.reset.seconds)
      }
    for (name, value) in [
      (names.limit, String(status.limit)), (names.remaining, String(status.remaining)), (names.reset, text),
    ] {
      if let name = FieldName(name), let value = FieldValue(value) { response.headers.set(name, value) }
    }
  }
}
