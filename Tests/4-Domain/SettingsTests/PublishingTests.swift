import Testing
import Timeline

@testable import Settings

/// The settings for publishing, retention and notifications.
@Suite struct PublishingTests {
  private func read(_ account: String, top: String = "", provider: String = "sandbox") throws(SettingsError)
    -> AccountSettings
  {
    let keys = provider == "oauth2" ? #","issuer":"https://a.example","client_id":"i""# : ""
    let text = #"{\#(top)"accounts":{"a":{"provider":"\#(provider)"\#(keys)\#(account)}}}"#
    return try Configuration(reading: Array(text.utf8)).accounts[0]
  }

  private func problems(_ account: String, top: String = "", provider: String = "sandbox") -> [String] {
    do throws(SettingsError) {
      _ = try read(account, top: top, provider: provider)
      return []
    } catch { return error.problems.map { "\($0.path): \($0.what)" } }
  }

  @Test("by default, an account publishes one file, keeps all posts and sends no notifications")
  func defaults() throws {
    let account = try read("")
    #expect(account.publish == [] && account.keepDays == nil && account.keepsArchive && account.eraseDeletedDays == 30)
    #expect(account.onNewPosts == nil && !account.notifies)
  }

  @Test("an account's own publishing settings take effect, with the formats in the given order")
  func own() throws {
    let account = try read(
      #","publish":["html","jsonl"],"keep_days":30,"keep_archive":false,"erase_deleted_days":0,"on_new_posts":["p","a b",""],"notify":true"#
    )
    #expect(account.publish == [.html, .jsonLines] && account.keepDays == 30 && !account.keepsArchive)
    #expect(account.eraseDeletedDays == 0)
    #expect(account.onNewPosts == ["p", "a b", ""] && account.notifies)
    #expect(
      try read(#","publish":["jsonl","atom","feed.json","txt","bar.json","html"]"#).publish
        == PublishedFormat.allCases)
  }

  @Test("top-level publishing settings apply to all accounts, which can override each of them")
  func shared() throws {
    let top = #""publish":["atom"],"on_new_posts":["p"],"notify":true,"#
    let account = try read("", top: top)
    #expect(account.publish == [.atom] && account.onNewPosts == ["p"] && account.notifies)
    let own = try read(#","publish":["txt"],"on_new_posts":["q"]"#, top: top)
    #expect(own.publish == [.text] && own.onNewPosts == ["q"] && own.notifies)
    let none = try read(#","publish":[],"on_new_posts":null,"notify":false"#, top: top)
    #expect(none.publish == [] && none.onNewPosts == nil && !none.notifies)
    #expect(try read("", top: #""on_new_posts":null,"#).onNewPosts == nil)
  }

  @Test("an account without a timeline refuses publishing keys and ignores top-level values")
  func withoutTimeline() throws {
    let account = try read("", top: #""publish":["atom"],"on_new_posts":["p"],"notify":true,"#, provider: "oauth2")
    #expect(account.publish == [] && account.onNewPosts == nil && !account.notifies)
    let all =
      #","publish":[],"on_new_posts":["p"],"notify":true,"keep_days":1,"keep_archive":true,"erase_deleted_days":1"#
    #expect(
      problems(all, provider: "oauth2")
        == ["publish", "on_new_posts", "notify", "keep_days", "keep_archive", "erase_deleted_days"].map {
          "accounts.a.\($0): the provider oauth2 has no timeline: remove this setting"
        })
  }

  @Test(
    "an unknown publishing format is refused with the most similar known format",
    arguments: [
      (
        #"["htm"]"#,
        #"[0]: unknown format "htm"; did you mean html? (known: jsonl, atom, feed.json, txt, bar.json, html)"#
      ),
      (#"["atom","json"]"#, "[1]: home_timeline.json is always published: remove it"),
      (#"["atom","txt","atom"]"#, #"[2]: "atom" is in the list more than once"#),
      (#"["atom",1]"#, "[1]: expected a string, found a number"),
      (#""atom""#, #": expected a list of formats: ["jsonl", …], found a string"#),
      ("null", #": expected a list of formats: ["jsonl", …], found null"#),
    ])
  func formats(list: String, what: String) {
    #expect(problems(#","publish":\#(list)"#) == ["accounts.a.publish\(what)"])
    #expect(problems("", top: #""publish":\#(list),"#) == ["publish\(what)"])
  }

  @Test(
    "a program that is not a nonempty list of strings is refused",
    arguments: [
      (
        #""p""#,
        #": expected a program and its arguments: ["program", "argument", …], or null for none, found a string"#
      ),
      ("[]", #": expected a program and its arguments: ["program", "argument", …], or null for none"#),
      (#"["","x"]"#, #": expected a program and its arguments: ["program", "argument", …], or null for none"#),
      (#"["p",true]"#, "[1]: expected a string, found true or false"),
      (#"["p","\u0000"]"#, "[1]: a NUL character is not allowed"),
    ])
  func programs(list: String, what: String) {
    #expect(problems(#","on_new_posts":\#(list)"#) == ["accounts.a.on_new_posts\(what)"])
    #expect(problems("", top: #""on_new_posts":\#(list),"#) == ["on_new_posts\(what)"])
  }

  @Test("a program can have at most a hundred arguments")
  func arguments() {
    func list(_ count: Int) -> String { "[" + repeatElement(#""p""#, count: count).joined(separator: ",") + "]" }
    #expect(problems(#","on_new_posts":\#(list(100))"#) == [])
    #expect(
      problems(#","on_new_posts":\#(list(101))"#) == [
        "accounts.a.on_new_posts: has 101 elements; at most 100 are allowed"
      ])
  }

  @Test("invalid publishing settings are reported with the path of their key")
  func rest() {
    let days = "accounts.a.keep_days: expected a whole number from 1 to 36500, found"
    #expect(problems(#","keep_days":0"#) == ["\(days) 0"] && problems(#","keep_days":36501"#) == ["\(days) 36501"])
    #expect(problems(#","keep_days":null"#) == ["\(days) null"])
    let deleted = "accounts.a.erase_deleted_days: expected a whole number from 0 to 36500, found"
    #expect(problems(#","erase_deleted_days":-1"#) == ["\(deleted) -1"])
    #expect(problems(#","erase_deleted_days":36501"#) == ["\(deleted) 36501"])
    #expect(problems(#","keep_archive":1"#) == ["accounts.a.keep_archive: expected true or false, found a number"])
    #expect(problems("", top: #""notify":"yes","#) == ["notify: expected true or false, found a string"])
    #expect(problems(#","keep_day":1"#) == ["accounts.a.keep_day: unknown key; did you mean keep_days?"])
    #expect(problems("", top: #""pubish":[],"#) == ["pubish: unknown key; did you mean publish?"])
  }

  @Test("pictures may take up 200 megabytes by default, and 0 turns them off")
  func media() throws {
    func media(_ text: String) throws(SettingsError) -> Int {
      try Configuration(reading: Array(#"{\#(text)"accounts":{}}"#.utf8)).media.megabytes
    }
    #expect(try media("") == 200 && media(#""media":{},"#) == 200 && media(#""media":{"megabytes":0},"#) == 0)
    #expect(try media(#""media":{"megabytes":100000},"#) == 100_000)
    let range = "media.megabytes: expected a whole number from 0 to 100000, found"
    #expect(problems("", top: #""media":{"megabytes":-1},"#) == ["\(range) -1"])
    #expect(problems("", top: #""media":{"megabytes":100001},"#) == ["\(range) 100001"])
    #expect(problems("", top: #""media":{"megabyte":1},"#) == ["media.megabyte: unknown key; did you mean megabytes?"])
    #expect(problems("", top: #""media":0,"#) == ["media: expected an object, found a number"])
  }

  @Test("private_hosts may contain only host names and addresses")
  func privateHosts() throws {
    let text = #"{"media":{"private_hosts":["Nas.home.example","192.168.1.5","[fd00::5]"]},"accounts":{}}"#
    #expect(
      try Configuration(reading: Array(text.utf8)).media.privateHosts == [
        "nas.home.example", "192.168.1.5", "[fd00::5]",
      ])
    #expect(try Configuration(reading: Array(#"{"accounts":{}}"#.utf8)).media.privateHosts == [])
    for bad in ["https://nas", "nas:8443", "nas/pictures", "nas?", "me@nas", "", "a b", "fd00::5"] {
      let found = problems("", top: #""media":{"private_hosts":["\#(bad)"]},"#)
      #expect(found.count == 1 && found[0].hasPrefix("media.private_hosts[0]: \"\(bad)\" is not a host"), "\(found)")
    }
    #expect(problems("", top: #""media":{"private_hosts":"nas"},"#).first?.contains("expected a list of hosts") == true)
    #expect(problems("", top: #""media":{"private_hosts":["nas","nas"]},"#).first?.contains("more than once") == true)
  }
}
