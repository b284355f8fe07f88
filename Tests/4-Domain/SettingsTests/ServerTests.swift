import Bytes
import HomelineOAuth
import Testing

@testable import Settings

/// Settings about an account's server: where it is, how often it receives requests, and its addresses.
@Suite struct ServerTests {
  private func read(_ members: String, callback: String = "{}") throws(SettingsError) -> AccountSettings {
    try Configuration(reading: Array(#"{"callback":\#(callback),"accounts":{"a":{\#(members)}}}"#.utf8)).accounts[0]
  }

  private func problems(_ members: String, callback: String = "{}") -> [String] {
    do throws(SettingsError) {
      _ = try read(members, callback: callback)
      return []
    } catch {
      return error.problems.map { "\($0.path.trimmingPrefix("accounts.")): \($0.what)" }
    }
  }

  private static let x = #""provider":"x","client_id":"i""#
  private static let weibo = #""provider":"weibo","client_id":"i","client_secret":"s""#

  @Test(
    "a server is an origin, however it is written in the configuration",
    arguments: [
      ("social.example", "https://social.example"), ("Social.Example", "https://social.example"),
      ("https://social.example/", "https://social.example"), ("social.example:8443", "https://social.example:8443"),
      ("https://social.example:443", "https://social.example"), ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
      ("localhost", "https://localhost"), ("http://[::1]:1/", "http://[::1]:1"),
      ("müller.example", "https://xn--mller-kva.example"),
      ("https://MÜLLER.example:8443", "https://xn--mller-kva.example:8443"),
      ("xn--mller-kva.example", "https://xn--mller-kva.example"), ("пример.рф", "https://xn--e1afmkfd.xn--p1ai"),
    ])
  func servers(text: String, origin: String) throws {
    #expect(try read(#""provider":"mastodon","server":"\#(text)""#).server?.origin == origin)
  }

  @Test("non-ASCII letters are accepted in every address and host, and sent as A-labels")
  func letters() throws {
    let oauth2 = #""provider":"oauth2","client_id":"i""#
    let issuer = try read(#"\#(oauth2),"issuer":"https://müller.example/realms/Ab/""#)
    #expect(issuer.issuer == "https://xn--mller-kva.example/realms/Ab/")
    let endpoints = try read(
      #"\#(oauth2),"endpoints":{"token":"https://müller.example/t","authorize":"https://müller.example/a?b=C"}"#)
    #expect(endpoints.endpoints["authorize"]?.text == "https://xn--mller-kva.example/a?b=C")
    let drive = try read(
      #""provider":"gokuai","client_id":"i","client_secret":"s","drive":{"hosts":["*.müller.example"]}"#)
    #expect(drive.drive?.hosts == ["*.xn--mller-kva.example"])
    let weibo = try read(#"\#(Self.weibo),"weibo":{"safe_domain":"Müller.example"}"#)
    #expect(weibo.weibo.safeDomain == "xn--mller-kva.example")
    let media = #"{"media":{"private_hosts":["müller.example"]}}"#
    #expect(try Configuration(reading: Array(media.utf8)).media.privateHosts == ["xn--mller-kva.example"])
  }

  @Test(
    "a refused server name is quoted as typed, not as bytes",
    arguments: ["mü ller.example", "ü／x.example", "https://ü.example:x"])
  func badLetters(text: String) {
    let found = problems(#""provider":"mastodon","server":"\#(text)""#)
    #expect(found.count == 1 && found.allSatisfy { !$0.contains("byte") && !$0.contains("offset") }, "\(found)")
  }

  @Test(
    "an invalid server address is refused",
    arguments: [
      ("https://social.example/@me", "expected a host such as social.example, or its URL without a path"),
      ("social.example/?a", "expected a host such as social.example, or its URL without a path"),
      ("social.example#", "expected a host such as social.example, or its URL without a path"),
      ("http://social.example", "plain http is allowed only for this machine (127.0.0.1, [::1], localhost): use https"),
      (
        "@me@social.example",
        "expected a host such as social.example: The URL contains a user name or password before its host."
      ),
      ("", "expected a host such as social.example: The URL has no host."),
      (
        "ftp://social.example",
        "expected a host such as social.example: The URL does not begin with http:// or https://."
      ),
    ])
  func badServers(text: String, fault: String) {
    #expect(problems(#""provider":"mastodon","server":"\#(text)""#) == ["a.server: \(fault)"])
  }

  @Test("the `server` key is required for providers with many servers, and refused for all others")
  func need() {
    #expect(
      problems(#""provider":"mastodon""#)
        == ["a.server: missing: the provider mastodon needs the server, such as social.example"])
    #expect(
      problems(#"\#(Self.x),"server":"v2.example","issuer":"https://v2.example""#) == [
        "a.server: the provider x does not support it: use endpoints to set another server",
        "a.issuer: the provider x does not support it: use endpoints to set another server",
      ])
    #expect(
      problems(#""provider":"sandbox","server":"v2.example""#)
        == ["a.server: the provider sandbox does not support it: remove this setting"])
  }

  @Test("an issuer is kept as written, because it is compared byte by byte")
  func issuer() throws {
    for text in [
      "https://Login.Example", "https://login.example/", "https://login.example:443/a/../b", "http://[::1]:8",
    ] {
      let settings = try read(#""provider":"oauth2","client_id":"i","issuer":"\#(text)""#)
      #expect(settings.issuer == text)
    }
    func fault(_ issuer: String) -> [String] { problems(#""provider":"oauth2","client_id":"i","issuer":\#(issuer)"#) }
    #expect(fault(#""https://login.example?a""#) == ["a.issuer: must not have a query or a fragment"])
    #expect(fault(#""https://login.example#a""#) == ["a.issuer: must not have a query or a fragment"])
    #expect(
      fault(#""http://login.example""#)
        == ["a.issuer: plain http is allowed only for this machine (127.0.0.1, [::1], localhost): use https"])
    #expect(fault(#""login.example""#) == ["a.issuer: The URL does not begin with http:// or https://."])
    #expect(fault("1") == ["a.issuer: expected a string, found a number"])
  }

  @Test("without an issuer, the configured endpoints must be enough to obtain a token")
  func addresses() throws {
    let missing =
      "a.issuer: missing: set issuer, or endpoints with token and at least one of authorize and device_authorization"
    func fault(_ endpoints: String) -> [String] {
      problems(#""provider":"oauth2","client_id":"i","endpoints":{\#(endpoints)}"#)
    }
    let token = #""token":"https://l.example/t""#
    #expect(problems(#""provider":"oauth2","client_id":"i""#) == [missing])
    #expect(fault(token) == [missing])
    #expect(fault(#""authorize":"https://l.example/a","userinfo":"https://l.example/u""#) == [missing])
    for name in ["authorize", "device_authorization"] {
      #expect(fault(#"\#(token),"\#(name)":"https://l.example/a""#) == [])
    }
  }

  @Test("timeline keys are refused for providers without a timeline")
  func noTimeline() {
    let message = "the provider oauth2 has no timeline: remove this setting"
    #expect(
      problems(
        #""provider":"oauth2","client_id":"i","issuer":"https://l.example","refresh_seconds":90,"keep_posts":1,"#
          + #""first_fill_posts":1,"budget":{}"#) == [
          "a.refresh_seconds: \(message)", "a.keep_posts: \(message)", "a.first_fill_posts: \(message)",
          "a.budget: the provider oauth2 does not charge: remove this setting",
        ])
  }

  @Test("a refresh interval below the provider's minimum is refused with the reason")
  func floors() {
    let floors = [
      ("x", 60, Self.x), ("weibo", 900, Self.weibo), ("mastodon", 30, #""provider":"mastodon","server":"s.example""#),
    ]
    for (provider, seconds, members) in floors {
      #expect(problems(#"\#(members),"refresh_seconds":\#(seconds)"#) == [])
      let below = problems(#"\#(members),"refresh_seconds":\#(seconds - 1)"#)
      let message =
        "a.refresh_seconds: the provider \(provider) allows a refresh at most every \(seconds) seconds, found \(seconds - 1): "
      #expect(below.count == 1 && below[0].hasPrefix(message), "\(below)")
    }
    #expect(
      problems(#"\#(Self.weibo),"refresh_seconds":300"#) == [
        "a.refresh_seconds: the provider weibo allows a refresh at most every 900 seconds, found 300: "
          + "it allows 100 requests per user per day and blocks clients that exceed this"
      ])
    #expect(
      problems(#"\#(Self.weibo),"refresh_seconds":86401"#)
        == ["a.refresh_seconds: expected a whole number from 1 to 86400, found 86401"])
  }

  @Test("an endpoint from a different protocol is refused")
  func endpoints() throws {
    #expect(
      problems(#"\#(Self.x),"endpoints":{"request_token":"https://v.example/","token":"https://v.example/t"}"#)
        == ["a.endpoints.request_token: not an endpoint of OAuth 2.0, which this account uses"])
    #expect(
      problems(
        #""provider":"x","consumer_key":"k","consumer_secret":"s","endpoints":{"revoke":"https://v.example/"}"#)
        == ["a.endpoints.revoke: not an endpoint of OAuth 1.0a, which this account uses"])
    #expect(
      problems(#""provider":"mastodon","server":"s.example","endpoints":{}"#)
        == ["a.endpoints: the provider mastodon has no endpoints to replace"])
    #expect(
      try read(#"\#(Self.weibo),"endpoints":{"token_info":"https://v.example/i"}"#).endpoints["token_info"]?.path
        == "/i")
  }

  @Test("a random callback port is refused for providers that compare the redirect address")
  func redirect() throws {
    let free = #"{"port":0}"#
    for (provider, members) in [("x", Self.x), ("weibo", Self.weibo)] {
      #expect(
        problems(members, callback: free) == [
          "callback.port: the provider \(provider) of the account a requires an exact redirect URL: set callback.port"
        ])
      #expect(problems(#"\#(members),"enabled":false"#, callback: free) == [], "a disabled account is not checked")
      #expect(problems(members, callback: #"{"port":8766}"#) == [])
      #expect(problems(#"\#(members),"endpoints":{"authorize":"https://v.example/"}"#, callback: free) == [])
    }
    #expect(problems(#""provider":"mastodon","server":"s.example""#, callback: free) == [])
    #expect(problems(#""provider":"oauth2","client_id":"i","issuer":"https://l.example""#, callback: free) == [])
  }
}
