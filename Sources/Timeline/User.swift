/// A person or thing that has an account at the provider.
package struct User: Sendable, Hashable {
  package let id: String
  package let screenName: String
  package let name: String
  package let avatarURL: String?

  package init(id: String, screenName: String, name: String, avatarURL: String? = nil) {
    self.id = id
    self.screenName = screenName
    self.name = name
    self.avatarURL = avatarURL
  }
}
