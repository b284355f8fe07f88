/// The names under which a listener on loopback is meant: anything else in `Host` is a page that resolves its
/// own name to this machine (DNS rebinding).
package enum LoopbackHost {
  /// Whether `host`, the value of a `Host` field, is 127.0.0.1, [::1] or localhost (in any case) with our port.
  /// Without a port it means port 80 (RFC 9110 §4.2.1).
  package static func accepts(_ host: String?, port: UInt16) -> Bool {
    host.flatMap { Authority($0) }.map { accepts($0, port: port) } ?? false
  }

  /// The same for what `Request.authority` says.
  package static func accepts(_ authority: Authority, port: UInt16) -> Bool {
    guard (authority.port ?? 80) == port else { return false }
    return ["127.0.0.1", "[::1]", "localhost"].contains { $0.equalsIgnoringCase(authority.host) }
  }
}
