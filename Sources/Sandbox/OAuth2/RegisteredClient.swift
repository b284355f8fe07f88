internal import CivilTime
internal import HTTP
internal import JSON

/// A client registered with a server (RFC 6749 §2).
package struct RegisteredClient: Sendable, Equatable {
  /// The redirect URI for clients that have none: a page shows the code.
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

/// The user who authorises clients (RFC 6749 §1.1).
package struct ResourceOwner: Sendable, Equatable {
  package let id: String
  package let screenName: String
  package let name: String

  init(id: String, screenName: String, name: String) {
    self.id = id
    self.screenName = screenName
    self.name = name
  }

  init(_ author: Author) {
    self.init(id: String(author.id), screenName: author.screenName, name: author.name)
  }

  /// The only user of the sandbox.
  package static var mira: ResourceOwner { ResourceOwner(.mira) }
}
