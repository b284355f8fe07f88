internal import HomelineOAuth

/// When the redirect URI of a request counts as one that was registered.
package enum RedirectMatch: Sendable {
  /// The same bytes, port included.
  case exact
  /// The same too but for the port, where both are `http` at a loopback address in digits (RFC 8252 §7.3).
  case anyLoopbackPort

  func accepts(_ given: String, registered: String) -> Bool {
    if given.utf8.elementsEqual(registered.utf8) { return true }
    guard self == .anyLoopbackPort, let one = try? RequestURL(given), let other = try? RequestURL(registered) else {
      return false
    }
    return [one, other].allSatisfy { $0.isLoopback && !$0.isHTTPS && $0.host != "localhost" }
      && one.host == other.host && one.path == other.path && one.query == other.query
  }
}
