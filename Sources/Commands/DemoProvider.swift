/// The providers that the demonstration can play.
package enum DemoProvider: String, Sendable, Hashable, CaseIterable {
  case twitter
  case x
  case weibo
  case mastodon

  /// Its name in a configuration.
  package var providerName: String { self == .twitter ? "sandbox" : rawValue }

  /// Whether it is asked with OAuth 2.0.
  package var usesOAuth2: Bool { self != .twitter }
}
