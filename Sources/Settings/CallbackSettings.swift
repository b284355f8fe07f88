package import HomelineOAuth

/// Where the provider shall redirect the browser to.
package struct CallbackSettings: Sendable, Hashable {
  /// How the address is written; both loopback addresses are listened on in either case.
  package enum Host: String, Sendable, Hashable, CaseIterable {
    case address = "127.0.0.1"
    case localhost
  }

  package var host: Host
  /// 0 picks a free one.
  package var port: UInt16
  /// Begins with a slash and consists of letters, digits and `-._~/`, so that every provider compares and sends it alike.
  package var path: String

  package init(
    host: Host = .address, port: UInt16 = ProgramDefaults.callbackPort, path: String = ProgramDefaults.callbackPath
  ) {
    self.host = host
    self.port = port
    self.path = path
  }

  /// The address to register and to send, once it is known which port is listened on. A path that was read from a
  /// configuration never fails.
  package func url(port: UInt16) throws(RequestURLError) -> RequestURL {
    try RequestURL("http://\(host.rawValue):\(port)\(path)")
  }
}
