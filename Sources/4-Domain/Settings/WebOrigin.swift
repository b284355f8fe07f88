internal import Bytes

/// The origin of a front server that passes requests on to the web page: `https://host[:port]`, as browsers write it (RFC 6454 §6.2).
package struct WebOrigin: Sendable, Hashable {
  /// The serialised origin: in lower case, without the default port.
  package let text: String
  /// The host in lower case, and with A-labels; brackets surround an IPv6 address.
  package let host: String
  private let port: UInt16

  /// Reads an origin as a user writes it.
  /// - Returns: nil for anything but `https`, a host and an optional port, with an optional slash at the end.
  package init?(_ text: String) {
    guard let url = try? WrittenURL.url(text), url.isHTTPS, url.path == "/", url.query == nil, !text.contains("#"),
      let port = UInt16(exactly: url.port ?? 443), port != 0
    else { return nil }
    self.text = url.origin
    host = url.host
    self.port = port
  }

  /// Returns whether a request's authority is this origin's.
  /// - Parameter port: nil if the authority has none.
  package func matches(host: String, port: UInt16?) -> Bool {
    host.lowercased() == self.host && (port ?? 443) == self.port
  }
}
