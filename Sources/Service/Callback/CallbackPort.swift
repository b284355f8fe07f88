internal import HTTP
internal import Transport

/// A port where browsers come back to: its server, and what is known of how it was opened.
// Sendable because everything that changes in it is touched on its desk's queue only.
final class CallbackPort: @unchecked Sendable {
  let number: UInt16
  /// What the configuration asked for: 0 for a free one; nil for a port that was handed over, which stays open for good.
  let wanted: UInt16?
  /// Who else is at the port, at the address that is done without.
  let warning: ListenError?
  let server: HTTPServer

  init(number: UInt16, wanted: UInt16?, warning: ListenError?, server: HTTPServer) {
    self.number = number
    self.wanted = wanted
    self.warning = warning
    self.server = server
  }

  var isAdopted: Bool { wanted == nil }

  /// Whether a login that is configured for this port, or for any free one, can use it.
  func serves(_ port: UInt16) -> Bool { port == number || port == (wanted ?? 0) }
}
