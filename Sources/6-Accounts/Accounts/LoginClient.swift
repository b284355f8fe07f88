package import HomelineOAuth

/// The client of a login.
package struct LoginClient: Sendable {
  package enum Origin: Sendable {
    /// The user registered it.
    case configured
    /// This program registered itself for an earlier login.
    case stored
    /// This program registered itself for this login.
    case new
  }

  package let client: OAuth2Client
  package let origin: Origin

  init(_ client: OAuth2Client, _ origin: Origin) {
    self.client = client
    self.origin = origin
  }
}
