import Settings
import Testing

@Suite struct WeiboSettingsTests {
  private func read(_ provider: String, _ weibo: String) throws(SettingsError) -> WeiboSettings {
    let text = #"{"accounts":{"w":{"provider":"\#(provider)","client_id":"i","client_secret":"s","weibo":\#(weibo)}}}"#
    return try Configuration(reading: Array(text.utf8)).accounts[0].weibo
  }

  private func problems(_ provider: String, _ weibo: String) -> [String] {
    do throws(SettingsError) {
      _ = try read(provider, weibo)
      return []
    } catch { return error.problems.map(\.description) }
  }

  @Test("Weibo's safe domain and the user's address are read, and both are optional")
  func values() throws {
    #expect(try read("weibo", "{}") == WeiboSettings())
    #expect(
      try read("weibo", #"{"safe_domain":"Example.com","rip":"203.0.113.7"}"#)
        == WeiboSettings(safeDomain: "example.com", userAddress: "203.0.113.7"))
    #expect(try read("weibo", #"{"rip":"2001:db8::7"}"#).userAddress == "2001:db8::7")
  }

  @Test(
    "an invalid safe domain or address is reported, and so is a setting for a different provider",
    arguments: [
      #"{"safe_domain":"https://example.com"}"#, #"{"safe_domain":"example"}"#, #"{"safe_domain":"example.com/a"}"#,
      #"{"rip":"1.2.3"}"#, #"{"rip":"1.2.3.256"}"#, #"{"rip":"home"}"#, #"{"other":1}"#,
    ])
  func problems(weibo: String) {
    #expect(problems("weibo", weibo).count == 1)
    #expect(problems("x", #"{}"#).contains { $0.contains("is not Weibo") })
  }
}
