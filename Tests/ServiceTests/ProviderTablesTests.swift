@testable import Providers
import Settings
import Testing

/// The two tables of providers: one for the configuration, and one for the requests.
@Suite struct ProviderTablesTests {
  @Test("the configuration and the registry contain the same providers")
  func names() {
    #expect(ProviderDefaults.known.keys.sorted() == ProviderRegistry.names.sorted())
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
