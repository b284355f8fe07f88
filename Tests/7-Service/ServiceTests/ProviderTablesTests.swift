import Settings
import Testing

@testable import Providers

/// The two tables of providers: one for the configuration, and one for the requests.
@Suite struct ProviderTablesTests {
  @Test("the configuration and the registry contain the same providers")
  func names() {
    let registered = ProviderRegistry.all.map { $0.name } + KnownServer.all.map(\.name)
    #expect(ProviderDefaults.known.keys.sorted() == registered.sorted())
  }

  @Test("every configurable endpoint has a name that providers use")
  func endpoints() {
    for (provider, defaults) in ProviderDefaults.known {
      for name in defaults.endpoints.values.joined() {
        #expect(EndpointName(rawValue: name) != nil, "\(provider): \(name)")
      }
    }
  }
}
