import Testing
import Timeline

@testable import Settings

/// Accounts in their own files.
@Suite struct AccountFilesTests {
  private func texts(_ main: String?, _ accounts: [(String, String)]?) -> ConfigurationTexts {
    ConfigurationTexts(
      main: main.map { ConfigurationText(path: "/c/config.json", Array($0.utf8)) },
      accounts: accounts?.map { name, text in
        ConfigurationTexts.Account(name: name, ConfigurationText(path: "/c/config.d/\(name).json", Array(text.utf8)))
      })
  }

  private func problems(_ main: String?, _ accounts: [(String, String)]?) -> [String] {
    do throws(SettingsError) {
      _ = try Configuration(reading: texts(main, accounts))
      return []
    } catch { return error.problems.map(\.description) }
  }

  @Test("accounts in their own files come after those in config.json, and use its shared settings")
  func merged() throws {
    let configuration = try Configuration(
      reading: texts(
        #"{ "publish": ["txt"], "accounts": { "z": { "provider": "sandbox" } } }"#,
        [("a", #"{ "provider": "sandbox" }"#), ("b", #"{ "provider": "sandbox", "publish": [] }"#)]))
    #expect(configuration.accounts.map(\.name.text) == ["z", "a", "b"])
    #expect(configuration.accounts.map(\.publish) == [[.text], [.text], []])
  }

  @Test("config.json is optional if accounts have their own files, and need not contain accounts")
  func alone() throws {
    let account = [("a", #"{ "provider": "sandbox" }"#)]
    #expect(try Configuration(reading: texts(nil, account)).accounts.map(\.name.text) == ["a"])
    #expect(try Configuration(reading: texts("{}", account)).accounts.map(\.name.text) == ["a"])
    #expect(try Configuration(reading: texts(nil, [])).accounts.isEmpty)
    // A user can begin with a file that sets something else.
    #expect(try Configuration(reading: texts("{}", nil)).accounts.isEmpty)
    #expect(try Configuration(reading: texts(#"{ "publish": ["txt"] }"#, nil)).accounts.isEmpty)
  }

  @Test("the same name in two files is an error that names both files")
  func duplicate() {
    #expect(
      problems(
        "{\n \"accounts\": { \"a\": { \"provider\": \"sandbox\" } } }", [("a", #"{ "provider": "sandbox" }"#)])
        == ["/c/config.d/a.json:1:1: accounts.a: duplicate key; the first is at /c/config.json:2:16"])
  }

  @Test("each problem names its file, and problems are reported in the order of the files")
  func files() {
    #expect(
      problems(
        #"{ "notify": 1, "accounts": {} }"#,
        [
          ("a", "{\n \"provider\": \"sandbocks\" }"), ("b", "{"), ("C", #"{ "provider": "sandbox" }"#), ("d", "[]"),
          ("e", "{\"\u{1}\"}"),
        ]
      ).map { String($0.prefix { $0 != " " }) } == [
        "/c/config.json:1:13:", "/c/config.d/a.json:2:14:", "/c/config.d/b.json:1:2:", "/c/config.d/C.json:1:1:",
        "/c/config.d/d.json:1:1:", "/c/config.d/e.json:1:3:",
      ])
  }

  @Test("a view can show an account from a file, even if that file has errors")
  func views() throws {
    let main = #"{ "views": { "v": { "accounts": ["a"] } } }"#
    let configuration = try Configuration(reading: texts(main, [("a", #"{ "provider": "sandbox" }"#)]))
    #expect(configuration.views.first?.timelines.map(\.description) == ["a"])
    #expect(problems(main, [("a", "{")]).count == 1)
  }

  // MARK: Changes

  @Test("an account is disabled and enabled in the file that contains it")
  func enabling() throws {
    let old = texts(
      #"{ "accounts": { "z": { "provider": "sandbox", "enabled" : true } } }"#,
      [("a", "{\n  \"provider\": \"sandbox\"\n}\n")])
    let z = try #require(AccountName("z"))
    let a = try #require(AccountName("a"))
    let withoutZ = try #require(Configuration.texts(old, enabling: false, z))
    #expect(
      withoutZ.main?.bytes == Array(#"{ "accounts": { "z": { "provider": "sandbox", "enabled" : false } } }"#.utf8))
    #expect(withoutZ.accounts == old.accounts)
    let withoutA = try #require(Configuration.texts(old, enabling: false, a))
    #expect(withoutA.main == old.main)
    #expect(
      withoutA.accounts?.first?.text.bytes == Array("{\n  \"enabled\": false,\n  \"provider\": \"sandbox\"\n}\n".utf8))
    let again = try #require(Configuration.texts(withoutA, enabling: true, a))
    #expect(try Configuration(reading: again) == Configuration(reading: old))
    #expect(try Configuration.texts(old, enabling: true, #require(AccountName("other"))) == nil)
  }

  @Test("an account's scopes are set in the file that contains it")
  func scopes() throws {
    let settings = #""provider": "mastodon", "server": "https://social.example""#
    let old = texts(#"{ "accounts": { "z": { \#(settings), "scopes": ["read"] } } }"#, [("a", "{ \(settings) }")])
    let z = try #require(AccountName("z"))
    let changed = try #require(Configuration.texts(old, setting: ["read", "write"], of: z))
    #expect(
      changed.main?.bytes == Array(#"{ "accounts": { "z": { \#(settings), "scopes": ["read", "write"] } } }"#.utf8))
    #expect(changed.accounts == old.accounts)
    let a = try #require(AccountName("a"))
    let added = try #require(Configuration.texts(old, setting: ["read:statuses"], of: a))
    #expect(try Configuration(reading: added)[a]?.scopes == ["read:statuses"] && added.main == old.main)
    // A scope that is none does not change the files.
    #expect(Configuration.texts(old, setting: ["a\", \"b"], of: a) == nil)
    #expect(try Configuration.texts(old, setting: ["read"], of: #require(AccountName("other"))) == nil)
  }

  @Test(
    "an account is removed from config.json along with its trailing comma",
    arguments: [
      (#"{"a":1, "b":2, "c":3}"#, "a", #"{"b":2, "c":3}"#), (#"{"a":1, "b":2, "c":3}"#, "b", #"{"a":1, "c":3}"#),
      (#"{"a":1, "b":2, "c":3}"#, "c", #"{"a":1, "b":2}"#), (#"{ "a":1 }"#, "a", #"{  }"#),
    ])
  func removing(before: String, name: String, after: String) throws {
    let removed = Configuration.texts(
      texts(#"{ "accounts": \#(before) }"#, nil), removing: try #require(AccountName(name)))
    #expect(removed?.main?.bytes == Array(#"{ "accounts": \#(after) }"#.utf8))
  }

  @Test(
    "a removed account and its timelines are removed from the lists of views that contain others, and everything else is left unchanged",
    arguments: [
      (#"["a", "b", "c"]"#, #"["a", "c"]"#), (#"["b","c"]"#, #"["c"]"#), (#"["b"]"#, #"["b"]"#),
      (#"["b", "bc/likes", "b/list:a/b", "c", "b/likes"]"#, #"["bc/likes", "c"]"#),
      (#"["b","b/likes"]"#, #"["b","b/likes"]"#),
    ])
  func removingFromViews(before: String, after: String) throws {
    func main(_ list: String, _ accounts: String) -> String {
      #"{ "views": { "v": { "posts": 9, "accounts": \#(list) }, "w": {} }, "accounts": { \#(accounts) } }"#
    }
    let removed = Configuration.texts(texts(main(before, #""b": {}"#), nil), removing: try #require(AccountName("b")))
    #expect(removed?.main?.bytes == Array(main(after, "").utf8))
  }

  @Test("an account's own file is removed, and config.json is left unchanged")
  func removingFile() throws {
    let old = texts("{}", [("a", "{}"), ("b", "{}")])
    let removed = Configuration.texts(old, removing: try #require(AccountName("a")))
    #expect(removed == texts("{}", [("b", "{}")]))
  }

  @Test("token protection can be set without a config.json")
  func protection() {
    let text = Configuration.text(texts(nil, [("a", #"{ "provider": "sandbox" }"#)]), setting: .keyring)
    #expect(text == Array("{\n  \"protect\": \"keyring\"\n}\n".utf8))
  }
}
