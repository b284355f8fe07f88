/// A person or thing with an account on the provider.
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

  /// The user of a provider that does not identify its users.
  package static let unknown = User(id: "-", screenName: "unknown", name: "unknown")

  /// Whether the provider does not say who the user is. The names must then not be shown.
  package var isUnknown: Bool { id == Self.unknown.id }
}
