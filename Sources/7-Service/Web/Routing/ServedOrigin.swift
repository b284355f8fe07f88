internal import HTTP
internal import Settings

/// The origin that a request is addressed to: this port on loopback, or a front server's origin from the configuration (RFC 6454).
struct ServedOrigin: Sendable, Hashable {
  /// The serialised origin, as in a browser's `Origin` field: `http://127.0.0.1:8766`.
  let text: String
  /// Whether it is this port on loopback, without a front server.
  let isLoopback: Bool
  /// The port of the page on loopback.
  private let port: UInt16

  private init(_ text: String, isLoopback: Bool, port: UInt16) {
    self.text = text
    self.isLoopback = isLoopback
    self.port = port
  }

  static func loopback(port: UInt16) -> ServedOrigin {
    ServedOrigin("http://127.0.0.1:\(port)", isLoopback: true, port: port)
  }

  static func front(_ origin: WebOrigin, port: UInt16) -> ServedOrigin {
    ServedOrigin(origin.text, isLoopback: false, port: port)
  }

  /// Returns nil if `Host` is neither this port on loopback nor one of the origins. A page whose name was made to resolve to this machine
  /// (DNS rebinding) has its own name there.
  init?(of request: Request, port: UInt16, origins: [WebOrigin]) {
    guard let authority = request.authority else { return nil }
    if LoopbackHost.accepts(authority, port: port) {
      let port80 = port == 80 ? "" : ":\(port)"
      self.init("http://\(authority.host.lowercased())\(port80)", isLoopback: true, port: port)
    } else if let origin = origins.first(where: { $0.matches(host: authority.host, port: authority.port) }) {
      self = .front(origin, port: port)
    } else {
      return nil
    }
  }

  /// The name of the session's cookie. Cookies ignore ports, so each port has its own name. With the prefix, browsers accept the cookie only
  /// over TLS and only from this host (RFC 6265bis §4.1.3.2).
  var cookieName: String { isLoopback ? "homeline-\(port)" : "__Host-homeline" }
}
