internal import HTTPServer

/// An open port: its server, and how it was opened.
// Sendable because all mutable state is accessed only on the queue of its server.
final class LoopbackPort: @unchecked Sendable {
  let number: UInt16
  /// The requested port number; 0 if any free port was requested; nil for an adopted port, which stays open.
  let wanted: UInt16?
  /// The reason this program listens only on 127.0.0.1: another program uses the port on [::1]; nil if it listens on both.
  let warning: ListenError?
  let server: Server

  init(number: UInt16, wanted: UInt16?, warning: ListenError?, server: Server) {
    self.number = number
    self.wanted = wanted
    self.warning = warning
    self.server = server
  }

  var isAdopted: Bool { wanted == nil }

  /// Returns whether this port can serve a visit that requests the given port, where 0 means any port.
  func serves(_ port: UInt16) -> Bool { port == number || port == (wanted ?? 0) }
}
