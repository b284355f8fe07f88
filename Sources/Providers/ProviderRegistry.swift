package import HomelineOAuth

/// The providers that there are. A new one is a type of its own and an entry here.
package enum ProviderRegistry {
  private static let all: [any Provider.Type] = [SandboxProvider.self, Twitter.self, X.self]

  /// Their names, sorted.
  package static var names: [String] { all.map { $0.name }.sorted() }

  /// A provider at its own server or another one.
  /// - Parameters:
  ///   - base: where the provider's paths hang, instead of its own server.
  ///   - overrides: single addresses from the configuration.
  /// - Returns: `nil` when there is none of this name, or it has no server of its own and `base` is not given.
  package static func named(
    _ name: String, at base: RequestURL? = nil, overriding overrides: [Endpoints.Name: RequestURL] = [:]
  ) throws(RequestURLError) -> (any Provider)? {
    guard let type = all.first(where: { $0.name == name }), let endpoints = try type.endpoints(at: base) else {
      return nil
    }
    return type.init(endpoints: endpoints.overridden(by: overrides))
  }
}
