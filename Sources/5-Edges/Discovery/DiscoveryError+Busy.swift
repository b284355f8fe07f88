internal import HTTP
internal import Time

/// Responses that say nothing about a server's API.
extension DiscoveryError {
  /// Creates the error for a server that limits requests or is out of service; nil for any other response.
  init?(busy response: Response, at server: String) {
    let status = response.status.code
    let what: String
    switch status {
    case 420, 429: what = "\(server) limits requests (status \(status))"
    // Any other 5xx status may concern only a single document.
    case 408, 425, 503: what = "\(server) is not available now (status \(status))"
    default: return nil
    }
    self.init("\(what), so it cannot show which API it has; \(Self.advice(in: response))")
  }

  private static func advice(in response: Response) -> String {
    // Only the difference between two times is used, so any time will do as the response time.
    let date = response.headers.first("Date").flatMap { Timestamp(imfFixdate: $0) }
    let now = date ?? Timestamp(seconds: 0)
    guard let until = RetryAfter.moment(response.headers.first("Retry-After"), date: date, receivedAt: now) else {
      return "try again later"
    }
    return "try again in \((until - now).components.seconds) s"
  }
}
