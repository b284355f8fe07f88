import Platform
import TestSupport
import Testing

/// Complete logins at OAuth 1.0a servers built on oauthlib and Authlib.
@Suite(.needsPeers, .timeLimit(.minutes(2))) struct PeerLoginTests {
  /// A kind of server that approves every login immediately, and its options.
  struct Way: Sendable, CustomTestStringConvertible {
    let kind: OAuth1PeerServer.Kind
    var options: [String] = []
    var redirect = 302
    var testDescription: String { ([kind.rawValue] + options).joined(separator: " ") }

    func start() async throws -> OAuth1PeerServer {
      try await OAuth1PeerServer(kind, ["--authorize", "approve"] + options)
    }
  }

  // MARK: Success

  @Test(
    "An OAuth 1.0a login shows the result page, stores a private token and fetches the whole timeline",
    arguments: [
      Way(kind: .oauthlib), Way(kind: .oauthlib, options: ["--redirect-status", "303"], redirect: 303),
      Way(kind: .oauthlib, options: ["--confirmed-text", "True", "--no-id-str"]), Way(kind: .authlib),
    ])
  func login(way: Way) async throws {
    let server = try await way.start()
    let fixture = try OAuth1PeerFixture(server)
    let login = try await fixture.login()

    #expect(login.outcome.code == 0, "\(login.outcome.error)")
    #expect(login.outcome.output.contains("\nAuthorised as @peer (A Peer).\n"))
    #expect(login.outcome.output.contains("\nThe token is stored in \(fixture.tokenFile).\n"))
    #expect(login.outcome.output.hasSuffix("bird: 450 new posts, in \(fixture.timelineFile)\n"))

    #expect(login.visits.map(\.status) == [way.redirect, 303, 200])
    #expect(login.page.contains("<h1>Authorised as @peer</h1>"))
    #expect(login.visits.last?.address.contains("oauth_") == false)

    #expect(try FileStatus.of(fixture.tokenFile).permissions == 0o600)
    let token = try JSONValue(file: fixture.tokenFile)
    #expect(token["kind"].text == "oauth1")
    #expect(token["user"]["id"].text == "99")
    #expect(token["user"]["screen_name"].text == "peer")

    #expect(try FileStatus.of(fixture.timelineFile).permissions == 0o600)
    let timeline = try fixture.home.published("bird")
    #expect(timeline["account"].text == "bird")
    #expect(timeline["user"]["screen_name"].text == "peer")
    #expect(timeline["error"] == .null)
    #expect(try fixture.publishedIDs() == Array(PeerTimeline.ids(450).prefix(200)))

    let seen = try server.seen()
    #expect(seen.allSatisfy { $0.status < 400 && $0.verified != false })
    let nonces = seen.compactMap(\.nonce)
    #expect(nonces.count == seen.count { $0.endpoint != "authorize" })
    #expect(Set(nonces).count == nonces.count)
    for endpoint in ["request_token", "authorize", "access_token", "verify_credentials"] {
      #expect(try server.seen(endpoint).count == 1, "\(endpoint)")
    }
  }

  @Test("The first refresh of an empty account fetches no more posts than `first_fill_posts`")
  func firstFill() async throws {
    let server = try await Way(kind: .oauthlib).start()
    let fixture = try OAuth1PeerFixture(server, further: #", "first_fill_posts": 20"#)
    let login = try await fixture.login()
    #expect(login.outcome.output.hasSuffix("bird: 20 new posts, in \(fixture.timelineFile)\n"), "\(login.outcome)")
    #expect(try server.seen("home_timeline").count == 1)
  }

  @Test("The text of published posts is complete and unescaped, and its links are expanded")
  func texts() async throws {
    let server = try await Way(kind: .oauthlib, options: ["--posts", "20"]).start()
    let fixture = try OAuth1PeerFixture(server)
    #expect(try await fixture.login().outcome.code == 0)
    let posts = try fixture.home.published("bird")["posts"].items.reversed().map { $0["text"].text ?? "" }
    try #require(posts.count == 20)
    #expect(posts[0] == "0: Tea & biscuits at four")
    #expect(posts[1] == "1: ligatures: ﬁ, ﬂ; accents: Größe, naïve; 日本語も https://example.org/articles/1?a=1&b=2")
    #expect(posts[2].hasSuffix("long long end"))
    #expect(posts[7] == posts[2])
    #expect(posts[19].hasPrefix("19: 👩‍👩‍👧 a family"))
  }

  @Test(
    "The query of an endpoint's address is preserved and signed", arguments: OAuth1PeerServer.Kind.allCases)
  func ownQueries(kind: OAuth1PeerServer.Kind) async throws {
    let server = try await Way(kind: kind).start()
    let addresses = server.endpoints.mapValues { $0 + "?title=Special:OAuth/initiate&x=%7e+1&x=" }
    let login = try await OAuth1PeerFixture(server, endpoints: addresses).login()
    #expect(login.outcome.code == 0, "\(login.outcome.error)")
    for endpoint in OAuth1PeerServer.endpointNames {
      let seen = try server.seen(endpoint)
      #expect(!seen.isEmpty, "\(endpoint)")
      #expect(seen.allSatisfy { $0.parameters.starts(with: kind.names(["title", "x", "x"])) }, "\(endpoint)")
      #expect(seen.allSatisfy { $0.verified != false })
    }
  }

  @Test("`homeline login --pin` accepts the verifier that the provider shows")
  func pin() async throws {
    let server = try await Way(kind: .oauthlib).start()
    let fixture = try OAuth1PeerFixture(server)
    let run = try fixture.home.start(["login", "bird", "--no-browser", "--pin"], input: .open)
    let address = try #require(await run.line(containing: "http://"))
    let page = try await ScriptedBrowser.visit(address).text
    let pin = try #require(page.split(separator: "<code id=verifier>").last?.prefix { $0 != "<" })
    run.type("\(pin)\n")
    let outcome = await run.end()
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try fixture.publishedIDs() == Array(PeerTimeline.ids(450).prefix(200)))
  }

  @Test("A server clock that is ten minutes off causes one refused request and one warning", arguments: [600, -600])
  func clock(offset: Int) async throws {
    let server = try await Way(kind: .oauthlib, options: ["--clock-offset", "\(offset)"]).start()
    let login = try await OAuth1PeerFixture(server).login()
    #expect(login.outcome.code == 0, "\(login.outcome.error)")
    let warnings = login.outcome.error.split(separator: "\n").filter { $0.contains("This machine's clock is") }
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains(offset > 0 ? "s behind the provider's" : "s ahead of the provider's") == true)
    let tried = try server.seen("request_token")
    #expect(tried.map(\.reason) == ["timestamp", nil])
    #expect(Set(tried.map(\.nonce)).count == 2)
    #expect(try server.seen().filter { $0.reason != nil }.count == 1)
  }

  @Test(
    "`homeline sign` and later processes use the time of a server that once refused theirs", arguments: [600, -600])
  func signWithLearntClock(offset: Int) async throws {
    let server = try await Way(kind: .oauthlib, options: ["--clock-offset", "\(offset)"]).start()
    let fixture = try OAuth1PeerFixture(server)
    #expect(try await fixture.login().outcome.code == 0)
    let requestsBefore = try server.seen().count
    let address = try #require(server.endpoints["home_timeline"]) + "?count=1&tweet_mode=extended"
    let signed = try await fixture.home.run("sign", "GET", address, "--account", "bird")
    #expect(signed.error.contains(offset > 0 ? "s behind the provider's" : "s ahead of the provider's"))
    let header = String(signed.output.dropLast())
    #expect(try await ScriptedBrowser.visit(address, fields: [header]).status == 200)
    let chosen = try await fixture.home.run("sign", "GET", address, "--account", "bird", "--timestamp", "1")
    #expect(chosen.error == "" && chosen.output.contains(#"oauth_timestamp="1""#))
    #expect(try await fixture.home.run("refresh").code == 0)
    #expect(try server.seen().dropFirst(requestsBefore).allSatisfy { $0.reason == nil })
  }

  @Test(
    "A request whose nonce the server claims is used is sent once more with a new nonce, and the login succeeds",
    arguments: ["problem", "challenge", "twitter", "mediawiki", "text"])
  func usedNonce(form: String) async throws {
    let server = try await Way(
      kind: .oauthlib, options: ["--used-nonces", "1", "--nonce-answer", form, "--posts", "20"]
    ).start()
    let fixture = try OAuth1PeerFixture(server)
    let login = try await fixture.login()
    #expect(login.outcome.code == 0, "\(login.outcome.error)")
    #expect(try fixture.publishedIDs() == PeerTimeline.ids(20))
    for endpoint in ["request_token", "access_token", "verify_credentials", "home_timeline"] {
      let seen = try server.seen(endpoint)
      #expect(seen.map(\.reason).starts(with: ["nonce", nil]), "\(endpoint): \(seen)")
      #expect(seen.count { $0.reason != nil } == 1)
      #expect(Set(seen.map(\.nonce)).count == seen.count)
    }
  }

  @Test("A server that claims that every nonce is used gets two requests, and the login fails with its message")
  func usedNonces() async throws {
    let server = try await Way(kind: .oauthlib, options: ["--used-nonces", "9"]).start()
    let fixture = try OAuth1PeerFixture(server)
    let login = try await fixture.login()
    #expect(login.outcome.code == 69)
    #expect(login.outcome.error.contains("Nonce already used"), "\(login.outcome.error)")
    #expect(try server.seen("request_token").map(\.reason) == ["nonce", "nonce"])
  }

  // MARK: Callback confirmation

  @Test("A server that does not confirm the callback is refused, and the error names the setting that accepts it")
  func unconfirmed() async throws {
    let server = try await Way(kind: .oauthlib, options: ["--unconfirmed"]).start()
    let fixture = try OAuth1PeerFixture(server)
    let login = try await fixture.login()
    #expect(login.outcome.code == 78)
    #expect(login.outcome.error.contains(#""require_callback_confirmation": false"#))
    #expect(login.visits.isEmpty)
    #expect(!File.exists(fixture.tokenFile))
  }

  @Test("With `require_callback_confirmation: false`, an unconfirmed callback is accepted with a warning")
  func acceptedUnconfirmed() async throws {
    let server = try await Way(kind: .oauthlib, options: ["--unconfirmed"]).start()
    let fixture = try OAuth1PeerFixture(server, further: #", "require_callback_confirmation": false"#)
    let login = try await fixture.login()
    #expect(login.outcome.code == 0)
    #expect(login.outcome.error.contains("Warning: the provider does not confirm the callback address"))
    #expect(File.exists(fixture.tokenFile))
  }

  @Test("A server that explicitly denies the callback is refused, even with `require_callback_confirmation: false`")
  func contradictedCallback() async throws {
    let server = try await Way(kind: .oauthlib, options: ["--confirmed-text", "false"]).start()
    let fixture = try OAuth1PeerFixture(server, further: #", "require_callback_confirmation": false"#)
    #expect(try await fixture.login().outcome.code == 78)
    #expect(!File.exists(fixture.tokenFile))
  }

  // MARK: Refusals

  @Test(
    "A wrong consumer secret is reported with the provider's message, and nothing is stored",
    arguments: [
      (Way(kind: .oauthlib), "Could not authenticate you"),
      (Way(kind: .oauthlib, options: ["--refuse-with-200"]), "Error: the signature is not right."),
      (Way(kind: .authlib), "invalid_signature"),
    ])
  func wrongSecret(way: Way, message: String) async throws {
    let server = try await way.start()
    let fixture = try OAuth1PeerFixture(server, secret: "not-the-secret")
    let login = try await fixture.login()
    #expect([77, 78].contains(login.outcome.code))
    #expect(login.outcome.error.contains(message))
    #expect(!login.outcome.error.contains("not-the-secret"))
    #expect(login.outcome.output.isEmpty)
    #expect(!File.exists(fixture.tokenFile))
    // Retrying the exchange would fail, too.
    #expect(try server.seen().count == 1)
  }

  @Test(
    "A denial on the provider is recognised, in every provider's format",
    arguments: ["problem", "problem-with-token", "denied"], ["302", "303"])
  func refused(dialect: String, status: String) async throws {
    let server = try await OAuth1PeerServer(
      .oauthlib, ["--authorize", "deny", "--denial", dialect, "--redirect-status", status])
    let fixture = try OAuth1PeerFixture(server)
    let login = try await fixture.login()
    #expect(login.outcome.code == 77)
    // A denial without a token could come from any page.
    let title = dialect == "problem" ? "The browser came back with a refusal" : "You refused"
    #expect(login.outcome.error.contains(title.lowercased()), "\(login.outcome.error)")
    #expect(login.page.contains("<h1>\(title)</h1>"))
    #expect(try server.seen("access_token").isEmpty)
    #expect(!File.exists(fixture.tokenFile))
  }

  @Test(
    "A wrong verifier is sent only once, and the page reports the failure", arguments: OAuth1PeerServer.Kind.allCases)
  func wrongVerifier(kind: OAuth1PeerServer.Kind) async throws {
    let server = try await Way(kind: kind).start()
    let fixture = try OAuth1PeerFixture(server)
    let login = try await fixture.login { address in
      let redirect = try #require(try await ScriptedBrowser.visit(address).location)
      return try await ScriptedBrowser.visitAll(from: redirect + "x")
    }
    // Authlib reports that the verifier is wrong. oauthlib sends the same error as for wrong keys.
    #expect(login.outcome.code == (kind == .authlib ? 77 : 78))
    #expect(login.page.contains("<h1>Not authorised</h1>"))
    #expect(try server.seen("access_token").count == 1)
    #expect(!File.exists(fixture.tokenFile))
  }

  @Test("Stray requests and a repeated callback do not affect the login, and the verifier is exchanged only once")
  func reload() async throws {
    let server = try await Way(kind: .oauthlib).start()
    let fixture = try OAuth1PeerFixture(server)
    let login = try await fixture.login { address in
      let redirect = try #require(try await ScriptedBrowser.visit(address).location)
      let callback = try #require(redirect.split(separator: "?").first)
      for stray in ["?oauth_token=another&oauth_verifier=1", "", "?oauth_verifier=1"] {
        #expect(try await ScriptedBrowser.visit(callback + stray).status >= 400)
      }
      // The first redirect is not followed, as if the user reloaded before the result page appeared.
      return try await ScriptedBrowser.visitAll(from: redirect, reloads: 1)
    }
    #expect(login.outcome.code == 0, "\(login.outcome.error)")
    #expect(login.visits.map(\.status) == [303, 303, 200])
    #expect(login.page.contains("<h1>Authorised as @peer</h1>"))
    #expect(try server.seen("access_token").count == 1)
  }

  // MARK: sign

  @Test(
    "A server accepts a signature from `homeline sign` once, and then refuses it as a replay",
    arguments: OAuth1PeerServer.Kind.allCases)
  func replay(kind: OAuth1PeerServer.Kind) async throws {
    let server = try await Way(kind: kind).start()
    let fixture = try OAuth1PeerFixture(server)
    #expect(try await fixture.login().outcome.code == 0)
    let address = try #require(server.endpoints["home_timeline"]) + "?count=1&tweet_mode=extended"
    let signed = try await fixture.home.run("sign", "GET", address, "--account", "bird")
    #expect(signed.code == 0, "\(signed.error)")
    let header = String(signed.output.dropLast())
    let requestsBefore = try server.seen().count
    #expect(try await ScriptedBrowser.visit(address, fields: [header]).status == 200)
    let again = try await ScriptedBrowser.visit(address, fields: [header])
    #expect(again.status >= 400)
    let seen = try server.seen().dropFirst(requestsBefore)
    #expect(seen.map(\.verified) == [true, false])
    #expect(seen.first?.reason == nil)
    #expect(seen.last?.reason == (kind == .oauthlib ? "nonce" : "invalid_nonce"))
  }
}

extension OAuth1PeerServer.Kind {
  /// Returns the names as the server logs them: Authlib logs each name only once.
  fileprivate func names(_ names: [String]) -> [String] {
    self == .oauthlib ? names : names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
