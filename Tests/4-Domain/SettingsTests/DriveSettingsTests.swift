import Testing

@testable import Settings

@Suite struct DriveSettingsTests {
  private func text(_ members: String) -> [UInt8] {
    Array(#"{"accounts":{"disk":{"client_id":"i","client_secret":"s",\#(members)}}}"#.utf8)
  }

  private func drive(_ members: String) throws -> DriveSettings? {
    try Configuration(reading: text(#""provider":"gokuai"\#(members)"#)).accounts[0].drive
  }

  private func problems(_ members: String) -> [String] {
    do throws(SettingsError) {
      _ = try Configuration(reading: text(members))
      return []
    } catch { return error.problems.map(\.description) }
  }

  @Test("by default, a drive uses a library key at the public service")
  func defaults() throws {
    #expect(try drive("") == DriveSettings(hosts: ["*.gokuai.com"]))
    #expect(try drive(#","server":"drive.example""#)?.hosts == [])
  }

  @Test("a drive with an enterprise key requires a library number")
  func enterprise() throws {
    #expect(
      try drive(#","drive":{"key":"enterprise","library_id":7,"hosts":["*.Example.com","up.example.org"]}"#)
        == DriveSettings(key: .enterprise, libraryID: 7, hosts: ["*.example.com", "up.example.org"]))
    #expect(problems(#""provider":"gokuai","drive":{"key":"enterprise"}"#).count == 1)
    #expect(problems(#""provider":"gokuai","drive":{"library_id":7}"#).count == 1)
    #expect(problems(#""provider":"gokuai","drive":{"key":"other"}"#).count == 1)
  }

  @Test("a drive with a client key is an enabled account, and its library number is optional")
  func user() throws {
    let settings = try Configuration(
      reading: text(#""provider":"gokuai","drive":{"key":"user","library_id":7}"#))
    #expect(settings.enabledAccounts.first?.drive?.key == .user)
    #expect(try drive(#","drive":{"key":"user"}"#)?.libraryID == nil)
  }

  @Test("the 2013 dialect requires a client key, and only this dialect has a mount")
  func dialect() throws {
    #expect(try drive(#","drive":{"key":"user","dialect":"2013"}"#)?.legacyMount == "gokuai")
    #expect(try drive(#","drive":{"key":"user","dialect":"2013","mount":"team"}"#)?.legacyMount == "team")
    #expect(try drive(#","drive":{"key":"user","dialect":"today"}"#)?.legacyMount == nil)
    #expect(problems(#""provider":"gokuai","drive":{"dialect":"2013"}"#).count == 1)
    #expect(problems(#""provider":"gokuai","drive":{"key":"user","mount":"team"}"#).count == 1)
  }

  @Test(
    "a drive's hosts are names without a scheme, port or path", arguments: ["https://a", "a:1", "a/b", "*.", "*", ""])
  func hosts(host: String) { #expect(problems(#""provider":"gokuai","drive":{"hosts":["\#(host)"]}"#).count == 1) }

  @Test("a library's changes are its timeline, except with an enterprise key or for a user without a library")
  func timeline() throws {
    func account(_ members: String) throws -> AccountSettings {
      try Configuration(reading: text(#""provider":"gokuai"\#(members)"#)).accounts[0]
    }
    let library = try account(#","publish":["atom"],"keep_posts":50"#)
    #expect(library.hasTimeline() && library.refreshInterval == .seconds(300))
    #expect(try account(#","drive":{"key":"user","library_id":7}"#).hasTimeline())
    #expect(try !account(#","drive":{"key":"user"}"#).hasTimeline())
    #expect(try !account(#","drive":{"key":"enterprise","library_id":7}"#).hasTimeline())
    let problem = problems(#""provider":"gokuai","drive":{"key":"user"},"keep_posts":50"#)
    #expect(problem.count == 1 && problem[0].contains("set drive.library_id"), "\(problem)")
    let view = problems(
      #""provider":"gokuai","drive":{"key":"enterprise","library_id":7}}},"views":{"all":{"accounts":["disk"]"#)
    #expect(view.count == 1 && view[0].contains("the key of an enterprise cannot read"), "\(view)")
  }

  @Test("other providers have no drive, and the service ignores a drive with an enterprise key")
  func others() throws {
    let problems = problems(#""provider":"weibo","drive":{}"#)
    #expect(
      problems.count == 1 && problems[0].hasSuffix("the provider weibo is not a cloud drive: remove this setting"))
    #expect(try Configuration(reading: text(#""provider":"gokuai""#)).enabledAccounts.count == 1)
    let enterprise = #""provider":"gokuai","drive":{"key":"enterprise","library_id":7}"#
    #expect(try Configuration(reading: text(enterprise)).enabledAccounts.isEmpty)
  }
}
