/// Protects a loopback listener from DNS rebinding: a page whose host name resolves to this machine would send requests with that name in
/// `Host`.
package enum LoopbackHost {
  /// Returns whether an authority, for example from `Request.authority`, is 127.0.0.1, [::1] or localhost (case-insensitive) with this
  /// port. A missing port means 80 (RFC 9110 §4.2.1).
  package static func accepts(_ authority: Authority, port: UInt16) -> Bool {
    guard (authority.port ?? 80) == port else { return false }
    return ["127.0.0.1", "[::1]", "localhost"].contains { $0.equalsIgnoringCase(authority.host) }
  }
}
