/// The providers that the demo can simulate.
package enum DemoProvider: String, Sendable, Hashable, CaseIterable {
  case twitter
  case x
  case weibo
  case mastodon

  /// The provider's name in a configuration.
  package var providerName: String { self == .twitter ? "sandbox" : rawValue }

  package var usesOAuth2: Bool { self != .twitter }
}
