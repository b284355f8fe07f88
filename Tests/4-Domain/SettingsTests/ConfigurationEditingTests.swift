import Testing

@testable import Settings

/// Changes to the `protect` key in the text of a configuration.
@Suite struct ConfigurationEditingTests {
  private static let accounts = #""accounts": { "demo": { "provider": "sandbox" } }"#

  private func edited(_ text: String, _ protection: TokenProtection = .keyring) -> String? {
    Configuration.text(ConfigurationTexts(main: ConfigurationText(Array(text.utf8))), setting: protection)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("replacing the value of a key leaves the rest of the configuration unchanged")
  func replaced() {
    #expect(
      edited(#"{\#n  "protect" : "files" ,\#n\#t\#(Self.accounts) }\#n"#)
        == #"{\#n  "protect" : "keyring" ,\#n\#t\#(Self.accounts) }\#n"#)
    #expect(
      edited(#"{ \#(Self.accounts), "protect": "keyring" }"#, .files) == #"{ \#(Self.accounts), "protect": "files" }"#)
    #expect(
      edited(#"{ "protect": "\u0066iles", \#(Self.accounts) }"#) == #"{ "protect": "keyring", \#(Self.accounts) }"#)
  }

  @Test("a missing key is added before the other keys, with the same white space as the next key")
  func added() {
    #expect(
      edited("{\n    \(Self.accounts)\n}\n") == "{\n    \"protect\": \"keyring\",\n    \(Self.accounts)\n}\n")
    #expect(edited("{\(Self.accounts)}") == "{\"protect\": \"keyring\",\(Self.accounts)}")
    #expect(edited("  { \(Self.accounts) }") == "  { \"protect\": \"keyring\", \(Self.accounts) }")
  }

  @Test("protect is read from the configuration, and an invalid value is an error")
  func reading() throws {
    func protection(_ text: String) throws -> TokenProtection {
      try Configuration(reading: Array("{ \(text) \(Self.accounts) }".utf8)).protection
    }
    #expect(try protection("") == .files)
    #expect(try protection(#""protect": "files","#) == .files)
    #expect(try protection(#""protect": "keyring","#) == .keyring)
    let error = #expect(throws: SettingsError.self) { try protection(#""protect": "keychain","#) }
    #expect(
      error?.problems.map(\.description)
        == [#"1:14: protect: expected files or keyring, found "keychain""#])
    #expect(throws: SettingsError.self) { try protection(#""protect": true,"#) }
  }

  @Test("a configuration with errors is left unchanged")
  func mistakes() {
    #expect(edited("{ \(Self.accounts), \"unknown\": 1 }") == nil)
    #expect(edited("not JSON") == nil)
  }
}
