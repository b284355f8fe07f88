import Testing

@testable import Settings

/// The `apply_server_filters` setting.
@Suite struct ServerFilterSettingTests {
  private func read(_ members: String) -> Result<Bool, SettingsError> {
    do throws(SettingsError) {
      let configuration = try Configuration(reading: Array(#"{"accounts":{"a":{\#(members)}}}"#.utf8))
      return .success(configuration.accounts[0].appliesServerFilters)
    } catch { return .failure(error) }
  }

  private static let mastodon = #""provider":"mastodon","server":"social.example""#

  @Test("the filters on the server apply unless the setting is false")
  func values() throws {
    #expect(try read(Self.mastodon).get())
    #expect(try read(Self.mastodon + #","apply_server_filters":true"#).get())
    #expect(try !read(Self.mastodon + #","apply_server_filters":false"#).get())
  }

  @Test("the setting must be a boolean, and a provider without filters does not support it")
  func problems() {
    func problems(_ members: String) -> [String] {
      guard case .failure(let error) = read(members) else { return [] }
      return error.problems.map { "\($0.path): \($0.what)" }
    }
    #expect(
      problems(Self.mastodon + #","apply_server_filters":"no""#) == [
        "accounts.a.apply_server_filters: expected true or false, found a string"
      ])
    #expect(
      problems(#""provider":"sandbox","apply_server_filters":false"#) == [
        "accounts.a.apply_server_filters: only servers with Mastodon's API have filters, and the provider is sandbox: "
          + "remove this setting"
      ])
  }
}
