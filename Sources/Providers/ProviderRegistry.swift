package import HomelineOAuth
internal import Timeline

/// The providers that there are. A new one is a type of its own and an entry here.
package enum ProviderRegistry {
  static let all: [any Provider.Type] = [
    SandboxProvider.self, Twitter.self, X.self, Weibo.self, Mastodon.self, AnyOAuth1.self, AnyOAuth2.self,
  ]

  /// A provider, as an account says where it is.
  /// - Returns: `nil` when there is none of this name, or not at such a place.
  package static func named(
    _ name: String, at place: ProviderLocation = ProviderLocation()
  ) throws(RequestURLError) -> (any Provider)? {
    guard let type = all.first(where: { $0.name == name }) else { return nil }
    return try type.init(at: place)
  }
}
