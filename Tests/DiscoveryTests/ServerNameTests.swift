import HomelineOAuth
import Testing

@testable import Discovery

@Suite struct ServerNameTests {
  @Test(
    "a host, an address and a user's page name the same server",
    arguments: [
      ("social.example", nil), ("https://social.example", nil), ("https://social.example/@me", "me"),
      ("https://social.example/users/me", "me"), ("https://social.example/@me/115", "me"), ("@me@social.example", "me"),
      ("me@social.example", "me"), ("acct:me@social.example", "me"), ("Social.Example", nil),
      ("https://social.example/about", nil),
    ] as [(String, String?)])
  func servers(text: String, user: String?) throws {
    #expect(try ServerName(text) == .server(RequestURL("https://social.example"), user: user))
  }

  @Test(
    "a port and plain http are accepted for this machine", arguments: ["127.0.0.1:8766", "localhost:1", "[::1]:8766"])
  func loopback(host: String) throws {
    #expect(try ServerName("http://\(host)/") == .server(RequestURL("http://\(host)"), user: nil))
  }

  @Test(
    "X, Weibo and mail providers are recognised by name and by address",
    arguments: [
      ("x", "x"), ("X", "x"), ("x.com", "x"), ("twitter.com", "x"), ("https://x.com/me", "x"), ("@me@x.com", "x"),
      ("https://www.twitter.com/me", "x"), ("weibo", "weibo"), ("https://weibo.com/u/1", "weibo"),
      ("google", "google"), ("mira@gmail.com", "google"), ("microsoft", "microsoft"), ("me@outlook.com", "microsoft"),
      ("fastmail", "fastmail"), ("https://www.fastmail.com/", "fastmail"),
    ])
  func providers(text: String, provider: String) throws {
    #expect(try ServerName(text) == .provider(provider))
  }

  @Test(
    "any other text is not a server name",
    arguments: ["", "bird", "@me", "http://social.example", "ftp://social.example", "social example", "me@"])
  func rejected(text: String) {
    #expect(throws: ServerNameError.self) { try ServerName(text) }
  }

  @Test(
    "a word that names a program or an unsupported service is no server, in any letter case",
    arguments: [
      ("mastodon", "Mastodon runs on many servers"), ("Bluesky", "Bluesky is not supported yet"),
      ("https://www.threads.net/@me", "Threads is not supported yet"), ("@me.bsky.social@bsky.app", "Bluesky is not"),
    ])
  func programs(text: String, sentence: String) {
    let error = #expect(throws: ServerNameError.self) { try ServerName(text) }
    #expect(error?.isAboutWord == true && error?.description.hasPrefix(sentence) == true)
  }

  @Test("a user name that could change a request is not used")
  func strangeUser() throws {
    #expect(try ServerName("a&b=c@social.example") == .server(RequestURL("https://social.example"), user: nil))
  }
}
