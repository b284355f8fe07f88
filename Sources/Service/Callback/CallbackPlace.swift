/// Where the listener listens and how its address is written for providers, which compare it exactly.
package struct CallbackPlace: Sendable, Hashable {
  /// `127.0.0.1` or `localhost`: how the redirect's address is written. Both loopback addresses are listened on either way.
  package let host: String
  /// 0 picks a free one.
  package let port: UInt16
  package let path: String

  package init(host: String, port: UInt16, path: String) {
    self.host = host
    self.port = port
    self.path = path
  }

  /// The address that a provider is told, once the port is known.
  package func address(port: UInt16) -> String { "http://\(host):\(port)\(path)" }
}
