import Platform
import Sandbox
import SandboxSupport
import TestSupport
import Testing

/// The programs' output when servers repeat secrets that they received or issued, as GNU social does.
@Suite("Providers that echo secrets", .timeLimit(.minutes(5))) struct EchoedSecretsTests {
  private static let members = #""refresh_seconds": 86400, "keep_posts": 20, "publish": ["html"]"#

  private static let verifierPlace = String(repeating: "V", count: 43)

  /// Checks that no form of a secret appears in a string. Of a base64 form, only the middle is searched for, because
  /// the ends depend on the neighbouring bytes.
  private func check(_ secrets: [String], notIn output: String, _ context: String) {
    for secret in secrets {
      for form in EchoedSecrets.forms(of: secret) {
        let part = form == secret ? form : String(form.dropFirst(4).prefix(max(8, form.count - 10)))
        #expect(!output.contains(part), "\(context): \(output.split(separator: "\n").filter { $0.contains(part) })")
      }
    }
  }

  @Test("A revoked token that GNU social repeats in its error is redacted, and the error advises a new login")
  func gnuSocial() async throws {
    let steps = Locked<[RawServer.Step]>([])
    let server = try RawServer { _ in steps.withLock { $0 } }
    let fixture = try TwitterFixture(Self.members)
    let daemon = try await RunningDaemon(fixture.home)
    try await daemon.logIn()
    let token = try #require(try JSONValue(file: fixture.home.token(of: "demo"))["token"].text)
    let body = #"{"error":"Invalid access token: \#(token)","request":"/api/statuses/home_timeline.json"}"#
    steps.withLock { $0 = [.send(RawHTTP.response(body, "401 Unauthorized"))] }
    try fixture.configure([("demo", fixture.account(Self.members, elsewhere: ["home_timeline": "\(server.base)/home"]))]
    )
    try await daemon.reload()

    let outcome = try await fixture.home.run("refresh")
    #expect(outcome.code == 77)
    #expect(outcome.error.contains("Invalid access token: [secret]"), "\(outcome.error)")
    #expect(outcome.error.contains("Run: homeline login demo. homeline will try again at "), "\(outcome.error)")
    let published = try JSONValue(file: fixture.home.timeline(of: "demo"))
    #expect(published["error"]["code"].text == "not-authorised")
    #expect(published["error"]["message"].text?.hasSuffix("Run: homeline login demo") == true)
    #expect(published["posts"].items.count == 20)
    let page = try fixture.home.read("\(fixture.home.cacheFolder)/home_timeline.html")
    let status = try await fixture.home.run("status", "-v")
    let json = try await fixture.home.run("status", "--json")
    let (ended, _) = await daemon.stop()
    for output in [
      outcome.output + outcome.error, try fixture.home.read(fixture.home.timeline(of: "demo")), page,
      status.output + status.error,
      json.output, ended.error,
    ] { #expect(!output.contains(token), "\(output)") }
    #expect(status.output.contains("not-authorised"))
  }

  @Test("An OAuth 1.0a refresh redacts the account's secrets in every field of an error")
  func refresh() async throws {
    let response = Locked<[UInt8]>([])
    let server = try RawServer { _ in [.send(response.withLock { $0 })] }
    let fixture = try TwitterFixture(Self.members)
    let daemon = try await RunningDaemon(fixture.home, ["-v"])
    try await daemon.logIn()
    let stored = try JSONValue(file: fixture.home.token(of: "demo"))
    let secrets = [
      try #require(stored["token"].text), try #require(stored["secret"].text), TwitterFixture.consumerSecret,
    ]
    try fixture.configure([("demo", fixture.account(Self.members, elsewhere: ["home_timeline": "\(server.base)/home"]))]
    )
    try await daemon.reload()
    for text in EchoedSecrets.texts(of: secrets) {
      for (number, bytes) in EchoedSecrets.responses(quoting: text).enumerated() {
        response.withLock { $0 = bytes }
        let outcome = try await fixture.home.run("refresh", "-v")
        #expect(outcome.code != 0 && outcome.error.contains("[secret]"), "\(number): \(outcome.error)")
        check(secrets, notIn: outcome.output + outcome.error, "stderr \(number)")
        check(secrets, notIn: try fixture.home.read(fixture.home.timeline(of: "demo")), "published \(number)")
        check(secrets, notIn: try fixture.home.read("\(fixture.home.cacheFolder)/home_timeline.html"), "page \(number)")
        let status = try await fixture.home.run("status", "--json")
        #expect(status.output.contains("[secret]"))
        check(secrets, notIn: status.output + status.error, "status \(number)")
      }
    }
    let (ended, _) = await daemon.stop()
    check(secrets, notIn: ended.error, "log")
  }

  @Test("An OAuth 1.0a login redacts the request token, verifier and new token in errors and user names")
  func login() async throws {
    let (requestToken, requestSecret) = ("request-0123456789", "request-secret+/=&")
    let (verifier, token, tokenSecret) = ("verifier/0123456789", "access-0123456789", "access-secret 0123")
    let known = [requestToken, requestSecret, verifier, TwitterFixture.consumerSecret]
    let secrets = known + [token, tokenSecret]
    struct Answers { var (access, user): ([UInt8], [UInt8]) = ([], []) }
    let responses = Locked(Answers())
    let server = try RawServer { request in
      switch request.path {
      case "/request_token":
        [
          .send(
            RawHTTP.response(
              "oauth_token=\(requestToken)&oauth_token_secret=request-secret%2B%2F%3D%26&oauth_callback_confirmed=true")
          )
        ]
      case "/access_token": [.send(responses.withLock { $0.access })]
      default: [.send(responses.withLock { $0.user })]
      }
    }
    let fixture = try TwitterFixture()
    let endpoints = ["request_token", "authorize", "access_token", "verify_credentials"]
    let elsewhere = Dictionary(uniqueKeysWithValues: endpoints.map { ($0, "\(server.base)/\($0)") })
    try fixture.configure([("demo", fixture.account(Self.members, elsewhere: elsewhere))])
    var log = ""
    var daemon = try await RunningDaemon(fixture.home, ["-v"])
    // A restart of the service resets its count of requests per minute for each account.
    func startAgain() async throws {
      log += await daemon.stop().outcome.error
      daemon = try await RunningDaemon(fixture.home, ["-v"])
    }

    for text in EchoedSecrets.texts(of: known) {
      try await startAgain()
      for (number, bytes) in EchoedSecrets.responses(quoting: text).enumerated() {
        responses.withLock { $0.access = bytes }
        let (seen, shown) = try await walk(fixture, verifier: verifier, token: requestToken)
        #expect(seen.contains("[secret]"), "\(number): \(seen)")
        check(known, notIn: seen, "login \(number)")
        check(known, notIn: shown, "page \(number)")
      }
    }

    // The server issues the token, and then repeats it in the error for the user request and in a name.
    responses.withLock {
      $0.access = RawHTTP.response("oauth_token=\(token)&oauth_token_secret=access-secret%200123")
    }
    for text in EchoedSecrets.texts(of: [token, tokenSecret]) {
      try await startAgain()
      for (number, bytes) in EchoedSecrets.responses(quoting: text, status: "403 Forbidden").enumerated() {
        responses.withLock { $0.user = bytes }
        let (seen, shown) = try await walk(fixture, verifier: verifier, token: requestToken)
        #expect(seen.contains("[secret]"), "\(number): \(seen)")
        check(secrets, notIn: seen + shown, "user request \(number)")
      }
    }
    let name = #"{"id":7,"id_str":"7","screen_name":"\#(token)","name":"\#(tokenSecret) \#(verifier)"}"#
    responses.withLock { $0.user = RawHTTP.response(name) }
    let (seen, shown) = try await walk(fixture, verifier: verifier, token: requestToken)
    #expect(seen.contains("Authorised as @[secret] ([secret] [secret])."), "\(seen)")
    check(secrets, notIn: seen + shown, "name")
    check(secrets, notIn: try fixture.home.read(fixture.home.timeline(of: "demo")), "published")
    check(secrets, notIn: try await fixture.home.run("status").output, "status")
    log += await daemon.stop().outcome.error
    check(secrets, notIn: log, "log")
    #expect(!log.contains("within a minute"))
  }

  /// Runs an OAuth 2.0 login and follows the redirect as the browser does.
  /// - Parameter query: creates the redirect's query from the login's `state`.
  /// - Returns: the program's output without the authorisation address, and the result page.
  private func comeBack(_ home: TestInstallation, _ query: (_ state: String) -> String) async throws -> String {
    let program = try home.start(["login", "key", "--no-browser", "-v"])
    let address = try LocalURL(try #require(await program.line(containing: "response_type=code")))
    let state = address.query["state"] ?? ""
    let redirect = (address.query["redirect_uri"] ?? "").replacing("%3A", with: ":").replacing("%2F", with: "/")
    let callback = try LocalURL("\(redirect)?\(query(state))")
    let page = try await OwnThread.run { try ScriptedBrowser().follow(callback).text }
    let outcome = await program.end()
    let output = (outcome.output + outcome.error).split(separator: "\n").filter { !$0.contains("/authorize?") }
    return output.joined(separator: "\n") + page
  }

  /// Runs an OAuth 1.0a login and follows the redirect as the browser does.
  /// - Returns: the program's output without the authorisation address, and the result page.
  private func walk(_ fixture: TwitterFixture, verifier: String, token: String) async throws -> (
    output: String, page: String
  ) {
    let program = try fixture.home.start(["login", "demo", "--no-browser", "-v"])
    _ = try #require(await program.line(containing: "oauth_token="), "\(program.written(on: .error))")
    let forward = try #require(await program.line(containing: "ssh -L ", on: .error))
    let port = try #require(
      forward.split(separator: " ").first { $0.contains(":127.0.0.1:") }?.split(separator: ":").first)
    let callback = try LocalURL(
      "http://127.0.0.1:\(port)/callback?oauth_token=\(token)&oauth_verifier=\(verifier.replacing("/", with: "%2F"))")
    let page = try await OwnThread.run { try ScriptedBrowser().follow(callback).text }
    let outcome = await program.end()
    // The authorisation address contains the request token by design.
    let output = (outcome.output + outcome.error).split(separator: "\n").filter { !$0.contains("/authorize?") }
    return (output.joined(separator: "\n"), page)
  }

  @Test("OAuth 2.0 logins and renewals redact the code, state, PKCE verifier, client secret and tokens")
  func oauth2() async throws {
    struct Server { var (response, form, authorization): ([UInt8], [String: String], String) = ([], [:], "") }
    let exchange = Locked(Server())
    let server = try RawServer { request in
      exchange.withLock { state in
        let pairs = String(decoding: request.body, as: UTF8.self).split(separator: "&")
        state.form = Dictionary(
          pairs.map { ($0.split(separator: "=")[0], $0.split(separator: "=").last ?? "") }.map {
            (String($0), String($1))
          }
        ) { first, _ in first }
        // Only the server learns the PKCE verifier, so a placeholder of the same length replaces it.
        let response = String(decoding: state.response, as: UTF8.self)
        return [.text(response.replacing(Self.verifierPlace, with: state.form["code_verifier"] ?? ""))]
      }
    }
    let (code, clientSecret) = ("code-0123456789", "client/secret+0123")
    let (token, refreshToken) = ("access-0123456789", "refresh-0123456789")
    let home = try TestInstallation()
    try home.configure(
      """
      { "callback": { "port": 0 }, "accounts": { "key": { "provider": "oauth2", "client_id": "client",
        "client_secret": "\(clientSecret)",
        "endpoints": { "authorize": "\(server.base)/authorize", "token": "\(server.base)/token",
          "revoke": "\(server.base)/revoke" } } } }
      """)
    var log = ""
    var daemon = try await RunningDaemon(home, ["-v"])
    func startAgain() async throws {
      log += await daemon.stop().outcome.error
      daemon = try await RunningDaemon(home, ["-v"])
    }

    // The secrets that the server repeats are known only once the login is pending.
    func logIn(_ respond: ([String]) -> [UInt8]) async throws -> (output: String, secrets: [String]) {
      var secrets: [String] = []
      let output = try await comeBack(home) { state in
        secrets = [code, state, clientSecret]
        exchange.withLock { $0.response = respond(secrets) }
        return "code=\(code)&state=\(state)"
      }
      return (output, secrets)
    }

    for which in 0..<3 {
      try await startAgain()
      for field in 0..<11 {
        let (output, secrets) = try await logIn { secrets in
          EchoedSecrets.responses(quoting: EchoedSecrets.texts(of: secrets)[which], status: "400 Bad Request")[field]
        }
        check(secrets, notIn: output, "login \(which), \(field)")
      }
    }
    try await startAgain()
    for (number, bytes) in EchoedSecrets.responses(quoting: "no \(Self.verifierPlace)").enumerated() {
      let (output, _) = try await logIn { _ in bytes }
      let verifier = try #require(exchange.withLock { $0.form["code_verifier"] })
      #expect(verifier.count == Self.verifierPlace.count)
      check([verifier], notIn: output, "PKCE \(number)")
    }

    // The server issues a token and then refuses every renewal.
    let (output, secrets) = try await logIn { _ in
      RawHTTP.response(
        #"{"access_token":"\#(token)","token_type":"bearer","refresh_token":"\#(refreshToken)","expires_in":1}"#)
    }
    #expect(output.hasPrefix("Authorised"), "\(output)")
    let all = secrets + [token, refreshToken]
    for text in EchoedSecrets.texts(of: [token, refreshToken, clientSecret]) {
      try await startAgain()
      for (number, bytes) in EchoedSecrets.responses(quoting: text, status: "400 Bad Request").enumerated() {
        exchange.withLock { $0.response = bytes }
        let outcome = try await home.run("refresh", "key", "-v")
        #expect(outcome.code != 0, "\(number)")
        let status = try await home.run("status", "--json")
        check(all, notIn: outcome.output + outcome.error + status.output + status.error, "renewal \(number)")
      }
    }
    for text in EchoedSecrets.texts(of: [token, refreshToken]) {
      exchange.withLock { $0.response = EchoedSecrets.responses(quoting: text, status: "400 Bad Request")[1] }
      let outcome = try await home.run("logout", "key", "-v")
      check(all, notIn: outcome.output + outcome.error, "logout")
    }
    log += await daemon.stop().outcome.error
    check(all, notIn: log, "log")
    #expect(!log.contains("within a minute"))
  }

  @Test("Secrets in a redirect's error description are redacted, except those of earlier logins")
  func redirect() async throws {
    let server = try RawServer { _ in [.send(RawHTTP.response("", "404 Not Found"))] }
    let home = try TestInstallation()
    try home.configure(
      """
      { "callback": { "port": 0 }, "accounts": { "key": { "provider": "oauth2", "client_id": "client",
        "endpoints": { "authorize": "\(server.base)/authorize", "token": "\(server.base)/token" } } } }
      """)
    let daemon = try await RunningDaemon(home)
    func refuse(_ parameters: (_ state: String) -> String) async throws -> (output: String, state: String) {
      var known = ""
      let output = try await comeBack(home) { state in
        known = state
        return "error=access_denied&state=\(state)&error_description=\(parameters(state))"
      }
      return (output, known)
    }
    let (output, former) = try await refuse { "no+\($0)+for+you" }
    #expect(output.contains("access_denied: no [secret] for you"), "\(output)")
    check([former], notIn: output, "redirect")
    let (later, _) = try await refuse { _ in "not+\(former)+either" }
    #expect(later.contains("not \(former) either"), "\(later)")
    await daemon.stop()
  }

  @Test("A PIN repeated in an error response is redacted")
  func pin() async throws {
    let pin = "2468135"
    let server = try RawServer { request in
      request.path == "/request_token"
        ? [.send(RawHTTP.response("oauth_token=request-token&oauth_token_secret=s&oauth_callback_confirmed=true"))]
        : [.send(RawHTTP.response("Invalid verifier \(pin)", "401 Unauthorized"))]
    }
    let fixture = try TwitterFixture()
    let endpoints = ["request_token", "authorize", "access_token", "verify_credentials"]
    let elsewhere = Dictionary(uniqueKeysWithValues: endpoints.map { ($0, "\(server.base)/\($0)") })
    try fixture.configure([("demo", fixture.account(Self.members, elsewhere: elsewhere))])
    let login = try fixture.home.start(["login", "--pin"], input: .open)
    _ = try #require(await login.line(containing: "oauth_token="))
    login.type("\(pin)\n")
    let outcome = await login.end()
    #expect(outcome.code == 77)
    #expect(outcome.error.contains("Invalid verifier [secret]"), "\(outcome.error)")
    #expect(!(outcome.output + outcome.error).contains(pin))
  }
}
