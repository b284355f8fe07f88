internal import Bytes
internal import HomelineOAuth

/// The rule for comparing a request's redirect URI with a registered one.
package enum RedirectMatch: Sendable {
  /// Accepts only a redirect URI that is byte for byte the same as the registered one, including the port.
  case exact
  /// Also accepts a different port if both redirect URIs use `http` and the same literal loopback address (RFC 8252 §7.3).
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
