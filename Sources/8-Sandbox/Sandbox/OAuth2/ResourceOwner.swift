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
