package import Bytes
internal import Timeline

/// The available providers. A new provider is a separate type and an entry here, or an entry in `KnownServer`.
package enum ProviderRegistry {
  static let all: [any Provider.Type] = [
    SandboxProvider.self, Twitter.self, X.self, Weibo.self, Mastodon.self, AnyOAuth1.self, AnyOAuth2.self, Gokuai.self,
  ]

  /// Returns a provider at the location given by an account; `nil` if no provider has this name, or if it does not support this location.
  package static func named(
    _ name: String, at place: ProviderLocation = ProviderLocation()
  ) throws(RequestURLError) -> (any Provider)? {
    if let known = KnownServer.all.first(where: { $0.name == name }) { return try AnyOAuth2(known, at: place) }
    guard let type = all.first(where: { $0.name == name }) else { return nil }
    return try type.init(at: place)
  }
}
