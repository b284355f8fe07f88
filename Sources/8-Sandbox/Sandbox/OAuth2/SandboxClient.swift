/// A client registered with a server (RFC 6749 §2).
package struct SandboxClient: Sendable, Equatable {
  /// The redirect URI for clients without one: a page shows the code.
  package static let outOfBand = "urn:ietf:wg:oauth:2.0:oob"

  package let identifier: String
  /// The client secret; `nil` for a public client (§2.1). It is not a `Secret`, because it is published.
  package let secret: String?
  package let redirects: [String]
  /// The scopes that the client may request.
  package let scopes: [String]
  /// The client's name as shown on pages.
  package let name: String

  package init(
    identifier: String, secret: String? = nil, redirects: [String], scopes: [String], name: String = "homeline"
  ) {
    self.identifier = identifier
    self.secret = secret
    self.redirects = redirects
    self.scopes = scopes
    self.name = name
  }
}
