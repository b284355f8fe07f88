internal import CivilTime
internal import HTTP

/// The limits of a server of Mastodon's API, in the headers of each answer.
struct MastodonLimits: Sendable {
  private var windows: RateWindows
  private let flavour: MastodonFlavour

  init(_ flavour: MastodonFlavour, limit: Int) {
    self.flavour = flavour
    windows = RateWindows(limit: limit, length: .seconds(300))
  }

  /// Counts a request of a token; nil where the server tells no limits.
  mutating func count(_ token: String, at now: Timestamp) -> RateWindows.Standing? {
    flavour.limitHeaders == nil ? nil : windows.count(token, at: now)
  }

  /// Puts the limits into an answer.
  func write(_ standing: RateWindows.Standing, _ reset: MastodonFaults.Reset?, to response: inout Response) {
    guard let names = flavour.limitHeaders else { return }
    let text =
      switch reset ?? .moment(decimals: flavour.decimals) {
      case .moment(let decimals): MastodonTime.text(standing.reset, decimals: decimals)
      case .unixSeconds: String(standing.reset.seconds)
      }
    for (name, value) in [
      (names.limit, String(standing.limit)), (names.remaining, String(standing.remaining)), (names.reset, text),
    ] {
      if let name = FieldName(name), let value = FieldValue(value) { response.headers.set(name, value) }
    }
  }
}
