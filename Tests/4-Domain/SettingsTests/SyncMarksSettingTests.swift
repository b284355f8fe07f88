import Testing

@testable import Settings

/// The `sync_marks` setting.
@Suite struct SyncMarksSettingTests {
  private static let mastodon = #""provider":"mastodon","server":"social.example""#

  private func read(_ members: String) throws(SettingsError) -> AccountSettings {
    try Configuration(reading: Array(#"{"accounts":{"a":{\#(members)}}}"#.utf8)).accounts[0]
  }

  @Test("read marks are shared only if the setting is true")
  func values() throws {
    #expect(try !read(Self.mastodon).syncsMarks)
    #expect(try !read(Self.mastodon + #","sync_marks":false"#).syncsMarks)
    #expect(try read(Self.mastodon + #","sync_marks":true"#).syncsMarks)
  }

  @Test(
    "a provider without shared read marks does not support the setting",
    arguments: [
      ("sandbox", ""), ("twitter", #","consumer_key":"k","consumer_secret":"s""#), ("x", #","client_id":"c""#),
    ])
  func refused(provider: String, keys: String) {
    let error = #expect(throws: SettingsError.self) {
      try read(#""provider":"\#(provider)"\#(keys),"sync_marks":true"#)
    }
    #expect(
      error?.problems.map { "\($0.path): \($0.what)" } == [
        "accounts.a.sync_marks: only servers with Mastodon's API have shared read marks, and the provider is "
          + "\(provider): remove this setting"
      ])
  }

  @Test("a timeline cannot have the setting, because it applies to the whole account")
  func timeline() {
    let error = #expect(throws: SettingsError.self) {
      try read(Self.mastodon + #","timelines":{"home":{"sync_marks":true}}"#)
    }
    #expect(error?.problems.map(\.path) == ["accounts.a.timelines.home.sync_marks"])
  }
}
