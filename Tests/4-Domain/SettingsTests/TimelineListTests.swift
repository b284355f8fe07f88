import JSON
import Testing
import Timeline

@testable import Settings

/// The timelines of an account in the configuration.
@Suite("The timelines of an account") struct TimelineListTests {
  private static let mastodon = #""provider":"mastodon","server":"social.example""#

  private func configuration(
    _ timelines: String?, _ account: String = mastodon, more: String = "", top: String = ""
  ) throws(SettingsError) -> Configuration {
    let list = timelines.map { #","timelines":\#($0)"# } ?? ""
    return try Configuration(
      reading: Array(#"{\#(top)"accounts":{"me":{\#(account)\#(more)\#(list)}}}"#.utf8))
  }

  private func read(
    _ timelines: String?, _ account: String = mastodon, more: String = "", top: String = ""
  ) throws(SettingsError) -> AccountSettings {
    try configuration(timelines, account, more: more, top: top).accounts[0]
  }

  private func problems(_ timelines: String, _ account: String = mastodon, more: String = "") -> [String] {
    do throws(SettingsError) {
      _ = try read(timelines, account, more: more)
      return []
    } catch { return error.problems.map { "\($0.path): \($0.what)" } }
  }

  private func name(_ text: String) throws -> TimelineName { try TimelineName(text) }

  // MARK: Which timelines

  @Test("an account without the key fetches its home timeline alone, with the account's settings")
  func without() throws {
    let account = try read(nil, more: #","refresh_seconds":300,"keep_posts":7,"notify":true"#)
    #expect(account.ownTimelines == nil && account.timelines == [.home])
    #expect(account[.home] == account.inherited(by: .home))
    #expect(account[.home].refreshInterval == .seconds(300) && account[.home].keepPosts == 7)
  }

  @Test(
    "home is always fetched and comes first; the others follow in the order of the file",
    arguments: [
      (#"{}"#, ["home"]), (#"{"home":{}}"#, ["home"]),
      (#"{"list:Friends":{},"tag:swift":{}}"#, ["home", "list:Friends", "tag:swift"]),
      (#"{"likes":{},"home":{"notify":true},"bookmarks":{}}"#, ["home", "likes", "bookmarks"]),
    ])
  func order(timelines: String, names: [String]) throws {
    #expect(try read(timelines).timelines.map(\.description) == names)
  }

  // MARK: Values

  @Test("each value of a timeline replaces the account's, and the others are inherited")
  func own() throws {
    let account = try read(
      #"""
      {"home":{"keep_posts":9},"list:Friends":{"refresh_seconds":300,"keep_posts":50,"first_fill_posts":60,"keep_days":30,
        "keep_archive":false,"publish":["atom"],"feed_posts":10,"on_new_posts":["p","a"],"notify":true,
        "apply_server_filters":false},"tag:swift":{}}
      """#,
      more: #","refresh_seconds":120,"keep_days":365,"publish":["txt"],"on_new_posts":["q"]"#)
    let friends = account[try name("list:Friends")]
    #expect(friends.refreshInterval == .seconds(300) && friends.keepPosts == 50 && friends.firstFillPosts == 60)
    #expect(friends.keepDays == 30 && !friends.keepsArchive && friends.publish == [.atom] && friends.feedPosts == 10)
    #expect(friends.onNewPosts == ["p", "a"] && friends.notifies && !friends.appliesServerFilters)
    let tag = account[try name("tag:swift")]
    #expect(tag == account.inherited(by: try name("tag:swift")))
    #expect(tag.refreshInterval == .seconds(120) && tag.keepDays == 365 && tag.publish == [.text])
    #expect(tag.onNewPosts == ["q"] && tag.keepsArchive && tag.appliesServerFilters)
    // The account's own values are home's only where home has none.
    #expect(account[.home].keepPosts == 9 && account[.home].publish == [.text])
    #expect(account.keepPosts == nil)
  }

  @Test("null and an empty list turn off what the account does")
  func off() throws {
    let account = try read(
      #"{"list:a":{"publish":[],"on_new_posts":null,"notify":false}}"#,
      more: #","publish":["atom"],"on_new_posts":["q"],"notify":true"#)
    let list = account[try name("list:a")]
    #expect(list.publish == [] && list.onNewPosts == nil && !list.notifies)
  }

  @Test("a private timeline publishes, announces and runs only what its own settings say")
  func privateKinds() throws {
    let more = #","publish":["atom"],"on_new_posts":["q"],"notify":true,"keep_days":5"#
    let account = try read(
      #"{"bookmarks":{},"likes":{"publish":["html"],"on_new_posts":["p"],"notify":true}}"#, more: more)
    let bookmarks = account[try name("bookmarks")]
    #expect(bookmarks.publish == [] && bookmarks.onNewPosts == nil && !bookmarks.notifies && bookmarks.keepDays == 5)
    let likes = account[try name("likes")]
    #expect(likes.publish == [.html] && likes.onNewPosts == ["p"] && likes.notifies)
    let shared = try read(#"{"bookmarks":{}}"#, top: #""publish":["atom"],"notify":true,"#)
    #expect(shared[try name("bookmarks")].publish == [] && shared[.home].publish == [.atom])
  }

  @Test(
    "invalid values of a timeline are reported with the path of their key",
    arguments: [
      (
        #""refresh_seconds":29"#,
        "refresh_seconds: the provider mastodon allows a refresh at most every 30 seconds, found 29: all programs of a user "
          + "share one limit, and most servers are run by volunteers"
      ),
      (#""keep_posts":0"#, "keep_posts: expected a whole number from 1 to 10000, found 0"),
      (#""first_fill_posts":"7""#, "first_fill_posts: expected a whole number from 1 to 10000, found a string"),
      (#""keep_days":0"#, "keep_days: expected a whole number from 1 to 36500, found 0"),
      (#""keep_archive":1"#, "keep_archive: expected true or false, found a number"),
      (#""publish":["atm"]"#, #"publish[0]: unknown format "atm"; did you mean atom? (known: "#),
      (#""publish":["json"]"#, "publish[0]: list-a.json is always published: remove it"),
      (#""feed_posts":0"#, "feed_posts: expected a whole number from 1 to 10000, found 0"),
      (#""on_new_posts":[]"#, "on_new_posts: expected a program and its arguments"),
      (#""notify":1"#, "notify: expected true or false, found a number"),
      (#""keep_post":1"#, "keep_post: unknown key; did you mean keep_posts?"),
      (#""erase_deleted_days":1"#, "erase_deleted_days: applies to the whole account: move it there"),
      (#""budget":{}"#, "budget: applies to the whole account: move it there"),
    ])
  func values(member: String, what: String) {
    let found = problems(#"{"list:a":{\#(member)}}"#)
    #expect(found.count == 1 && found[0].hasPrefix("accounts.me.timelines.list:a.\(what)"), "\(found)")
  }

  @Test("the setting for filters is refused where no filter applies")
  func filters() {
    #expect(
      problems(#"{"bookmarks":{"apply_server_filters":false}}"#) == [
        "accounts.me.timelines.bookmarks.apply_server_filters: no filter applies to bookmarks: remove this setting"
      ])
    #expect(
      problems(#"{"list:a":{"apply_server_filters":false}}"#, #""provider":"sandbox""#) == [
        "accounts.me.timelines.list:a.apply_server_filters: only servers with Mastodon's API have filters, and the provider is "
          + "sandbox: remove this setting"
      ])
  }

  // MARK: Names

  private static let known = "(known: home, notifications, mentions, list:NAME, tag:NAME, user:@NAME, bookmarks, likes)"
  private static let long = String(repeating: "é", count: 300)

  @Test(
    "a name that is not a timeline is an error with the nearest kind",
    arguments: [
      ("lst:a", #"lst:a: unknown kind of timeline "lst"; did you mean list? \#(known)"#),
      ("bookmark", #"bookmark: unknown kind of timeline "bookmark"; did you mean bookmarks? \#(known)"#),
      ("public", #"public: unknown kind of timeline "public" \#(known)"#),
      ("list", "list: write list:NAME"), ("list:", "list:: write list:NAME"),
      ("user:kai", "user:kai: the user's name begins with @; write user:@NAME"),
      ("tag:#swift", "tag:#swift: write the hashtag without #"),
      ("bookmarks:x", "bookmarks:x: bookmarks has no argument; write bookmarks"),
      ("home:x", "home:x: home has no argument; write home"),
      ("", ": the name of a timeline is empty; write for example home"),
      (#"list:a\u0000b"#, #"list:a\u{0}b: the name of the timeline contains a control character"#),
      ("list:\(long)", "list:\(long.prefix(59))…: the name of the timeline is longer than 512 bytes"),
    ])
  func names(name: String, what: String) {
    #expect(problems(#"{"\#(name)":{}}"#) == ["accounts.me.timelines.\(what)"])
  }

  @Test("a timeline that the provider lacks is an error that lists what it offers")
  func notOffered() {
    #expect(
      problems(#"{"tag:swift":{}}"#, #""provider":"sandbox""#) == [
        "accounts.me.timelines.tag:swift: the provider sandbox does not offer this timeline (it offers home, mentions, "
          + "list:NAME, user:@NAME, likes)"
      ])
    #expect(
      problems(#"{"list":{}}"#, #""provider":"weibo","client_id":"i","client_secret":"s""#) == [
        "accounts.me.timelines.list: the provider weibo does not offer this timeline (it offers home)"
      ])
    #expect(
      problems(#"{"home":{}}"#, #""provider":"oauth2","issuer":"https://a.example","client_id":"i""#) == [
        "accounts.me.timelines: the provider oauth2 has no timeline: remove this setting"
      ])
  }

  @Test("a server at another address offers the timelines whose addresses follow from home's")
  func otherAddress() {
    func problems(_ home: String) -> [String] {
      self.problems(
        #"{"mentions":{}}"#,
        #""provider":"twitter","consumer_key":"k","consumer_secret":"s","endpoints":{"home_timeline":"\#(home)"}"#)
    }
    #expect(problems("https://a.example/api/statuses/home_timeline.json") == [])
    let fault =
      "accounts.me.timelines.mentions: its address is unknown, because endpoints.home_timeline does not end with "
      + "/statuses/home_timeline.json"
    #expect(problems("https://a.example/home") == [fault])
    #expect(problems("https://a.example/api/statuses/home_timeline.json?x=1") == [fault])
  }

  @Test("a problem with a timeline states its line and column")
  func position() {
    let error = #expect(throws: SettingsError.self) {
      try read("{\n  \"list:a\": {},\n  \"lists:b\": {\"keep_posts\": 0}}")
    }
    #expect(
      error?.description
        == "3:3: accounts.me.timelines.lists:b: unknown kind of timeline \"lists\"; did you mean list? "
        + Self.known)
    let value = #expect(throws: SettingsError.self) { try read("{\n  \"list:b\": {\"keep_posts\": 0}}") }
    #expect(value?.problems.map { "\($0.position.line):\($0.position.column)" } == ["2:28"])
  }

  @Test("a value that is not an object is refused")
  func types() {
    #expect(problems(#"["home"]"#) == ["accounts.me.timelines: expected an object, found an array"])
    #expect(problems(#"{"home":true}"#) == ["accounts.me.timelines.home: expected an object, found true or false"])
  }

  @Test("an account has at most 100 timelines, including home")
  func limit() throws {
    func list(_ range: Range<Int>) -> String { range.map { #""list:\#($0)":{}"# }.joined(separator: ",") }
    #expect(try read("{\(list(0..<99))}").timelines.count == 100)
    #expect(try read(#"{"home":{},\#(list(0..<99))}"#).timelines.count == 100)
    let fault = "accounts.me.timelines: has 101 timelines, including home; at most 100 are allowed"
    #expect(problems("{\(list(0..<100))}") == [fault])
    #expect(problems(#"{"home":{},\#(list(0..<100))}"#) == [fault])
  }

  @Test(
    "a timeline named twice is an error that names the first place",
    arguments: [
      ("tag:Swift", "tag:swift", "the same timeline as tag:Swift"),
      ("user:@Kai@far.example", "user:@kai@Far.example", "the same timeline as user:@Kai@far.example"),
      ("list:a", "list:a", "duplicate key; the first is"),
    ])
  func twice(first: String, second: String, what: String) {
    #expect(
      problems(#"{"\#(first)":{},"\#(second)":{}}"#) == [
        "accounts.me.timelines.\(second): \(what) at line 1, column 81"
      ])
  }

  @Test("lists whose names differ in case are two timelines, as on servers")
  func cases() throws {
    #expect(try read(#"{"list:A":{},"list:a":{}}"#).timelines.count == 3)
  }

  @Test("what identifies timelines is also found in a configuration with errors")
  func identifying() {
    func text(_ timelines: String) -> ConfigurationText {
      ConfigurationText(Array(#"{"provider":"x","timelines":\#(timelines)}"#.utf8))
    }
    var texts = ConfigurationTexts(
      main: ConfigurationText(
        Array(#"{"accounts":{"a":{"timelines":{"home":1,"list:My: Friends":{},"lst:typo":[]}},"b":[]},"x":1}"#.utf8)))
    texts.accounts = [
      ConfigurationTexts.Account(name: "c", text(#"{"user:@kai":{},"Friends":{},"likes":{}}"#)),
      ConfigurationTexts.Account(name: "d", text("7")),
    ]
    #expect(Configuration.namesOfTimelines(in: texts) == ["My: Friends", "typo", "@kai", "Friends"])
    #expect(Configuration.namesOfTimelines(in: ConfigurationTexts(main: ConfigurationText([0x7B]))).isEmpty)
  }

  // MARK: Files

  @Test(
    "two timelines whose files would have the same names are an error that names both",
    arguments: [("list:a", "list:a.bar", "list-a.bar.json"), ("list:a.feed", "list:a", "list-a.feed.json")])
  func files(first: String, second: String, file: String) {
    #expect(
      problems(#"{"\#(first)":{},"\#(second)":{}}"#) == [
        "accounts.me.timelines.\(second): its file \(file) would be a file of \(first) too: use the id of one of them, or give it "
          + "another name on the server"
      ])
  }

  @Test(
    "similar names have separate files",
    arguments: [
      ("list:a", "list:a.txt"), ("list:a/b", "list:a%2Fb"), ("list:bar", "tag:bar"), ("list:../..", "list:.."),
      ("list:\(String(repeating: "x", count: 117))", "list:\(String(repeating: "x", count: 117)).bar"),
    ])
  func separate(first: String, second: String) { #expect(problems(#"{"\#(first)":{},"\#(second)":{}}"#) == []) }

  // MARK: Costs

  @Test("the highest monthly cost includes each timeline's interval")
  func costs() throws {
    let x = #""provider":"x","client_id":"i""#
    let none = #","budget":{"posts_per_day":null,"usd_per_day":null}"#
    let account = try read(#"{"home":{"refresh_seconds":43200}}"#, x, more: none)
    let cost = try #require(account.highestMonthlyCost)
    #expect(cost.bound == .intervals([.seconds(43_200)]) && cost.microUSD == 31 * 3 * 100 * 45_000)
    let two = MonthlyCost(budget: Budget(), intervals: [.seconds(43_200), .seconds(86_400)], prices: .x)
    #expect(two.microUSD == 31 * 5 * 100 * 45_000)
    #expect(two.description.contains("a full page every 43200 and 86400 seconds, without a budget"))
  }
}
