package import HomelineOAuth
internal import Timeline

/// The available providers. A new one is a separate type and an entry here.
package enum ProviderRegistry {
  static let all: [any Provider.Type] = [
    SandboxProvider.self, Twitter.self, X.self, Weibo.self, Mastodon.self, AnyOAuth1.self, AnyOAuth2.self, Gokuai.self,
  ]

  /// A provider at the location given by an account.
  /// - Returns: `nil` if there is no provider with this name, or none at such a location.
  package static func named(
    _ name: String, at place: ProviderLocation = ProviderLocation()
  ) throws(RequestURLError) -> (any Provider)? {
    guard let type = all.first(where: { $0.name == name }) else { return nil }
    return try type.init(at: place)
  }
}
