package import Bytes
internal import HomelineOAuth

/// This program's identity at a server.
package struct ClientRegistration: Sendable, Hashable {
  package let clientID: String
  package let clientSecret: Secret

  package init(clientID: String, clientSecret: Secret) {
    self.clientID = clientID
    self.clientSecret = clientSecret
  }
}
