import Bytes
import Testing

@testable import Discovery

@Suite struct ServerNameTests {
  @Test(
    "a host, an address and a user's page name the same server",
    arguments: [
      ("social.example", nil), ("https://social.example", nil), ("https://social.example/@me", "me"),
      ("https://social.example/users/me", "me"), ("https://social.example/@me/115", "me"), ("@me@social.example", "me"),
      ("me@social.example", "me"), ("acct:me@social.example", "me"), ("Social.Example", nil),
      ("social.example/@me", "me"), ("https://social.example/?a#b", nil),
    ] as [(String, String?)])
  func servers(text: String, user: String?) throws {
    #expect(try ServerName(text) == .server(ServerAddress(RequestURL("https://social.example")), user: user))
  }

  @Test(
    "an address keeps the path where the server may be, but not a user's page",
    arguments: [
      ("https://id.example/realms/main", "/realms/main", nil), ("id.example/realms/main/", "/realms/main/", nil),
      ("https://social.example/about?x=1#y", "/about", nil), ("https://example.org/social/@me", "/social", "me"),
      ("https://example.org/social/users/me", "/social", "me"), ("https://example.org/users", "/users", nil),
      ("https://example.org/größe", "/gr%C3%B6%C3%9Fe", nil),
    ] as [(String, String, String?)])
  func paths(text: String, path: String, user: String?) throws {
    guard case .server(let address, let name) = try ServerName(text) else {
      Issue.record("not a server")
      return
    }
    #expect(address.url.path == path && name == user && address.url.query == nil)
  }

  @Test(
    "a host with non-ASCII letters is requested by its A-label and shown as typed",
    arguments: [
      ("müller.example", "xn--mller-kva.example", "müller.example", nil),
      ("@robin@müller.example", "xn--mller-kva.example", "müller.example", "robin"),
      ("https://müller.example/@robin", "xn--mller-kva.example", "müller.example", "robin"),
      ("MÜLLER.example:8443", "xn--mller-kva.example:8443", "müller.example:8443", nil),
      ("пример.рф", "xn--e1afmkfd.xn--p1ai", "пример.рф", nil),
      ("xn--mller-kva.example", "xn--mller-kva.example", "xn--mller-kva.example", nil),
      ("例え。テスト", "xn--r8jz45g.xn--zckzah", "例え.テスト", nil),
      // A Cyrillic and a Latin letter in one label.
      ("аpple.example", "xn--pple-43d.example", "xn--pple-43d.example", nil),
    ] as [(String, String, String, String?)])
  func letters(text: String, asked: String, shown: String, user: String?) throws {
    guard case .server(let address, let name) = try ServerName(text) else {
      Issue.record("not a server")
      return
    }
    #expect(address.url.authority == asked && address.name == shown && name == user)
  }

  @Test(
    "a port and plain http are accepted for this machine", arguments: ["127.0.0.1:8766", "localhost:1", "[::1]:8766"])
  func loopback(host: String) throws {
    #expect(try ServerName("http://\(host)/") == .server(ServerAddress(RequestURL("http://\(host)")), user: nil))
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
  func refused(text: String) {
    #expect(throws: ServerNameError.self) { try ServerName(text) }
  }

  @Test(
    "the reason for refusing a name refers to the typed text, not to bytes",
    arguments: [
      "social example", "mü ller.example", "müller", "a\u{202E}b.example", "ｓｏｃｉａｌ／ü.example", "m\u{FC}\u{0}.example",
    ])
  func reasons(text: String) {
    let error = #expect(throws: ServerNameError.self) { try ServerName(text) }
    let reason = error?.description ?? ""
    #expect(!reason.isEmpty && !reason.contains("byte") && !reason.contains("offset") && !reason.contains("0x"))
    #expect(!reason.unicodeScalars.contains { $0.properties.generalCategory == .format }, "\(reason)")
  }

  @Test(
    "a word that names a program or an unsupported service is no server, in upper or lower case",
    arguments: [
      ("mastodon", "Mastodon runs on many servers"), ("Bluesky", "Bluesky is not supported yet"),
      ("https://www.threads.net/@me", "Threads is not supported yet"), ("@me.bsky.social@bsky.app", "Bluesky is not"),
    ])
  func programs(text: String, sentence: String) {
    let error = #expect(throws: ServerNameError.self) { try ServerName(text) }
    #expect(error?.isComplete == true && error?.description.hasPrefix(sentence) == true)
  }

  @Test("a user name that could change a request is not used")
  func strangeUser() throws {
    #expect(
      try ServerName("a&b=c@social.example") == .server(ServerAddress(RequestURL("https://social.example")), user: nil))
  }
}
