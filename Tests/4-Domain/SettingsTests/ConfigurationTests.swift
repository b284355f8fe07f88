import HomelineOAuth
import Bytes
import Testing
import Timeline

@testable import Settings

/// The values read from a valid configuration.
@Suite struct ConfigurationTests {
  private func read(_ text: String, providers: [String: ProviderDefaults] = ProviderDefaults.known) throws
    -> Configuration
  {
    try Configuration(reading: Array(text.utf8), providers: providers)
  }

  @Test("an account with only a provider gets the default for every setting")
  func defaults() throws {
    let configuration = try read(#"{"accounts": {"demo": {"provider": "sandbox"}}}"#)
    #expect(configuration.callback == CallbackSettings(host: .address, port: 8765, path: "/callback"))
    let demo = try #require(configuration.accounts.first)
    #expect(demo.name.text == "demo")
    #expect(demo.isEnabled)
    #expect(demo.credentials == .builtIn)
    #expect(demo.signatureMethod == .hmacSHA1)
    #expect(demo.refreshInterval == .seconds(90))
    let home = demo[.home]
    #expect(home.keepPosts == nil && home.wantedPosts == 800 && home.firstFill(usual: nil) == 800)
    #expect(demo.endpoints.isEmpty)
    #expect(demo.requiresCallbackConfirmation && !demo.requiresAltText)
  }

  @Test("an account's own values take effect")
  func explicit() throws {
    let configuration = try read(
      """
      {"callback": {"host": "localhost", "port": 0, "path": "/"},
       "accounts": {"bird": {"provider": "twitter", "enabled": false, "consumer_key": "ck", "consumer_secret": "cs",
         "signature_method": "hmac-sha256", "refresh_seconds": 15, "keep_posts": 10000,
         "require_callback_confirmation": false, "require_alt_text": true,
         "endpoints": {"home_timeline": "http://127.0.0.1:8000/timeline?tweet_mode=extended"}}}}
      """)
    #expect(configuration.callback == CallbackSettings(host: .localhost, port: 0, path: "/"))
    #expect(try configuration.callback.url(port: 4711).text == "http://localhost:4711/")
    let bird = try #require(AccountName("bird").flatMap { configuration[$0] })
    #expect(!bird.isEnabled)
    #expect(bird.credentials == .oauth1(consumerKey: "ck", consumerSecret: .literal(Secret("cs"))))
    #expect(bird.signatureMethod == .hmacSHA256)
    #expect(bird.refreshInterval == .seconds(15))
    #expect(bird.keepPosts == 10_000)
    #expect(!bird.requiresCallbackConfirmation && bird.requiresAltText)
    #expect(bird.endpoints["home_timeline"]?.text == "http://127.0.0.1:8000/timeline?tweet_mode=extended")
  }

  @Test("an account's value overrides the provider's default, which overrides the program's default")
  func lookUp() throws {
    var slow = ProviderDefaults(schemes: [.builtIn])
    slow.refreshInterval = .seconds(600)
    slow.keepPosts = 20
    slow.signatureMethod = .hmacSHA512
    let configuration = try read(
      #"{"accounts": {"a": {"provider": "slow"}, "b": {"provider": "slow", "refresh_seconds": 60}}}"#,
      providers: ["slow": slow])
    #expect(configuration.accounts.map(\.refreshInterval) == [.seconds(600), .seconds(60)])
    #expect(configuration.accounts.map(\.keepPosts) == [20, 20])
    #expect(configuration.accounts.map(\.signatureMethod) == [.hmacSHA512, .hmacSHA512])
  }

  @Test("by default, an X account fetches few posts at long intervals")
  func chargedDefaults() throws {
    func x(_ members: String) throws -> AccountSettings {
      let configuration = try read(
        #"{"accounts": {"x": {"provider": "x", "consumer_key": "k", "consumer_secret": "s"\#(members)}}}"#)
      return try #require(configuration.accounts.first)
    }
    let plain = try x("")
    #expect(plain.budget == Budget(postsPerDay: 200, microUSDPerDay: 1_000_000))
    #expect(plain.firstFillPosts == 50 && plain.refreshInterval == .seconds(900) && plain.keepPosts == nil)
    let own = try x(#", "budget": {"posts_per_day": 1000000}, "first_fill_posts": 1, "refresh_seconds": 60"#)
    #expect(own.budget == Budget(postsPerDay: 1_000_000, microUSDPerDay: 1_000_000))
    #expect(own.firstFillPosts == 1 && own.refreshInterval == .seconds(60))
    let me =
      #", "endpoints": {"users_me": "http://127.0.0.1:1/2/users/me", "home_timeline": "http://127.0.0.1:1/{id}/h"}"#
    #expect(try x(me).endpoints["home_timeline"]?.path == "/{id}/h")
  }

  @Test(
    "a first fetch stores `first_fill_posts`, otherwise `keep_posts`, otherwise 800, and never more than are kept",
    arguments: [
      ("", 800, 800), (#", "keep_posts": 20"#, 20, 20), (#", "keep_posts": 5000"#, 5000, 5000),
      (#", "first_fill_posts": 7"#, 7, 800), (#", "first_fill_posts": 2000"#, 2000, 800),
      (#", "keep_posts": 20, "first_fill_posts": 50"#, 20, 20),
      (#", "keep_archive": false, "first_fill_posts": 2000"#, 800, 800), (#", "keep_archive": false"#, 800, 800),
    ])
  func firstFill(members: String, first: Int, wanted: Int) throws {
    let account = try #require(
      try read(#"{"accounts": {"a": {"provider": "sandbox"\#(members)}}}"#).accounts.first)
    let home = account[.home]
    #expect(home.firstFill(usual: nil) == first && home.wantedPosts == wanted)
    #expect(home.firstFill(usual: 5) == min(home.firstFillPosts ?? 5, first))
  }

  @Test("if reading is free, an account has no budget and no number of its own for the first fetch")
  func freeDefaults() throws {
    let accounts = try read(
      #"{"accounts": {"a": {"provider": "sandbox"}, "b": {"provider": "sandbox", "first_fill_posts": 7}}}"#
    ).accounts
    #expect(accounts.map(\.budget) == [Budget(), Budget()] && accounts.map(\.prices) == [nil, nil])
    #expect(accounts.map(\.firstFillPosts) == [nil, 7])
  }

  @Test("accounts keep their order in the configuration file")
  func order() throws {
    let names = ["zebra", "ant", "0", "m.x-y_z"]
    let accounts = names.map { #""\#($0)": {"provider": "sandbox"}"# }.joined(separator: ",")
    #expect(try read(#"{"accounts": {\#(accounts)}}"#).accounts.map(\.name.text) == names)
  }

  @Test(
    "a secret can be configured in five forms",
    arguments: [
      (#""s3cret""#, SecretSource.literal(Secret("s3cret"))), (#"{"file": "~/x"}"#, .file(path: "~/x")),
      (#"{"file": "/etc/x"}"#, .file(path: "/etc/x")), (#"{"credential": "bird"}"#, .credential(name: "bird")),
      (#"{"command": ["pass", "show", ""]}"#, .command(["pass", "show", ""])),
      (#"{"keyring": "the bird"}"#, .keyring(account: "the bird")),
    ])
  func secrets(text: String, expected: SecretSource) throws {
    let configuration = try read(
      #"{"accounts": {"a": {"provider": "twitter", "consumer_key": "k", "consumer_secret": \#(text)}}}"#)
    #expect(configuration.accounts.first?.credentials == .oauth1(consumerKey: "k", consumerSecret: expected))
  }

  @Test("printing a configuration does not reveal its secrets")
  func redaction() throws {
    let configuration = try read(
      #"{"accounts": {"a": {"provider": "twitter", "consumer_key": "k", "consumer_secret": "s3cret"}}}"#)
    var dumped = ""
    dump(configuration, to: &dumped)
    #expect(!dumped.contains("s3cret"))
    #expect(!String(reflecting: configuration).contains("s3cret"))
  }

  @Test("an account name is short and safe in a path")
  func names() {
    for name in ["a", "0", "bird", "a.b-c_d", String(repeating: "x", count: 64)] {
      #expect(AccountName(name)?.text == name)
    }
    for name in [
      "", ".", "..", "_servers", "-a", ".a", "A", "bird ", "a/b", "ä", "a\n", String(repeating: "x", count: 65),
    ] {
      #expect(AccountName(name) == nil, "\(name) was taken")
    }
  }

  @Test("a command uses the given account, or the only enabled one")
  func choice() throws {
    let configuration = try read(
      """
      {"accounts": {"one": {"provider": "sandbox"}, "two": {"provider": "sandbox", "enabled": false}}}
      """)
    #expect(try configuration.account(named: nil).name.text == "one")
    #expect(try configuration.account(named: "two").name.text == "two")
    let unknown = #expect(throws: AccountChoiceError.self) { try configuration.account(named: "tow") }
    #expect(unknown?.description == #"there is no account "tow"; did you mean two? (accounts: one, two)"#)
    var several = configuration
    several.accounts[1].isEnabled = true
    let ambiguous = #expect(throws: AccountChoiceError.self) { try several.account(named: nil) }
    #expect(ambiguous?.description == "specify the account: one, two")
    several.accounts[0].isEnabled = false
    several.accounts[1].isEnabled = false
    let none = #expect(throws: AccountChoiceError.self) { try several.account(named: nil) }
    #expect(none?.description == "no account is enabled; specify one: one, two")
  }

  @Test("a command that posts uses the only account that can have posts, although others are enabled")
  func postingChoice() throws {
    let configuration = try read(
      """
      {"accounts": {"disk": {"provider": "gokuai", "client_id": "i", "client_secret": "s"},
        "mail": {"provider": "google", "client_id": "i", "client_secret": "s"}, "bird": {"provider": "sandbox"}}}
      """)
    #expect(try configuration.account(named: nil, isForPosting: true).name.text == "bird")
    #expect(try configuration.account(named: "disk", isForPosting: true).name.text == "disk")
    #expect(throws: AccountChoiceError.self) { try configuration.account(named: nil) }
    var drives = configuration
    drives.accounts.removeLast()
    let none = #expect(throws: AccountChoiceError.self) { try drives.account(named: nil, isForPosting: true) }
    #expect(none?.description == "specify the account: disk, mail")
  }
}
