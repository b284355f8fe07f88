import JSON
import TestSupport
import Testing
import Timeline

@testable import Settings

/// The real `config.example.json`, as a new user copies it.
@Suite struct ExampleConfigurationTests {
  private func example() throws -> [UInt8] { try ProgramRun.file("config.example.json") }

  @Test("the example configuration is valid and enables only its sandbox account")
  func valid() throws {
    let configuration = try Configuration(reading: try example())
    #expect(configuration.enabledAccounts.map(\.provider) == ["sandbox"])
    #expect(configuration.accounts.count > 1)
  }

  @Test("the example configuration contains every key")
  func complete() throws {
    var cursor = JSONCursor(try example())
    var shown: Set<String> = []
    func collect(_ cursor: inout JSONCursor) throws {
      switch try cursor.peek() {
      case .object:
        try cursor.members { cursor, name in
          shown.insert(name.text)
          try collect(&cursor)
        }
      default: try cursor.skip()
      }
    }
    try collect(&cursor)
    let endpoints = ProviderDefaults.known.values.flatMap { $0.endpoints.values.joined() }
    let known =
      Configuration.keys + CallbackSettings.keys + AccountSettings.keys + SecretSource.keys + AccountSettings.budgetKeys
      + endpoints
      + ViewSettings.keys + MediaSettings.keys + TimelineList.keys
    #expect(Set(known).subtracting(shown) == [])
  }

  @Test("the enabled account in the example configuration publishes every format and is in every view")
  func published() throws {
    let configuration = try Configuration(reading: try example())
    let enabled = try #require(configuration.enabledAccounts.first)
    #expect(enabled.publish == PublishedFormat.allCases)
    // The configuration check would report a missing program.
    #expect(enabled.onNewPosts == nil && !enabled.notifies)
    #expect(configuration.views.count > 1)
    for view in configuration.views { #expect(view.timelines.contains(.home(of: enabled.name)), "\(view.name)") }
  }

  @Test("the example configuration contains every provider")
  func providers() throws {
    let configuration = try Configuration(reading: try example())
    #expect(Set(configuration.accounts.map(\.provider)) == Set(ProviderDefaults.known.keys))
  }
}
