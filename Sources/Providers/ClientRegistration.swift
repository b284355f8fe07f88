package import HomelineOAuth

/// Under which id a server knows this program from now on.
package struct ClientRegistration: Sendable, Hashable {
  package let clientID: String
  package let clientSecret: Secret

  package init(clientID: String, clientSecret: Secret) {
    self.clientID = clientID
    self.clientSecret = clientSecret
  }
}
