import Bytes
import HomelineOAuth
import Testing

@Suite("Logging in with OAuth 1.0a")
struct OAuth1LoginTests {
  private let client = ClientCredentials(identifier: "ck", secret: Secret("cs"))
  private let nonceTimestamp = NonceTimestamp(timestamp: 1_700_000_000, nonce: Nonce("n"))
  private let temporary = TemporaryCredentials(identifier: "T 1", secret: Secret("ts"))

  private func read(
    _ body: String, status: Int? = 200, require: Bool = true
  ) throws(OAuthResponseError) -> TemporaryCredentialsResponse {
    try TemporaryCredentialsResponse(
      OAuthResponse(status: status, body: Array(body.utf8)), requireCallbackConfirmation: require)
  }

  @Test(
    "parsing a token response yields the values in the published vectors",
    arguments: Vectors.published.tokenResponseParse)
  func vectors(vector: Vectors.TokenResponse) throws {
    if let expected = vector.expected {
      let response = try read(vector.body, status: vector.httpStatus)
      #expect(response.credentials.identifier == expected[0][1])
      #expect(response.credentials.secret == Secret(expected[1][1]))
      #expect(response.confirmation == .callbackConfirmed)
      #expect(response.extra.isEmpty)
      return
    }
    let error = #expect(throws: OAuthResponseError.self) { try read(vector.body, status: vector.httpStatus) }
    switch (vector.expectedError, error) {
    case ("callback not confirmed: stop", .callbackNotConfirmed): break
    case ("no oauth_token_secret: stop", .missingParameter("oauth_token_secret")): break
    case ("provider error 32", .refused(let refusal)): #expect(refusal.code == 32)
    case ("no oauth_token: stop, do not store", .refused(let refusal)):
      #expect(refusal.message == "an HTML page where a token response was expected")
    default: Issue.record("\(String(describing: vector.expectedError)) gave \(String(describing: error))")
    }
  }

  @Test("temporary credentials are requested with a signed POST that has oauth_callback in its header")
  func temporaryCredentials() throws {
    let vector = Vectors.request("rfc5849-1.2-initiate")
    let request = TemporaryCredentialsRequest(
      endpoint: try RequestURL("https://photos.example.net/initiate"),
      callback: .url(try RequestURL("http://printer.example.com/ready")))
    let sent = try request.signed(
      by: ClientCredentials(identifier: "dpf43f3p2l4k3l03", secret: Secret(vector.consumerSecret)), realm: "Photos",
      nonceTimestamp: NonceTimestamp(timestamp: 137_131_200, nonce: Nonce("wIjqoS")))
    #expect(sent.method == "POST")
    #expect(sent.contentType == nil)
    #expect(sent.body.isEmpty)
    let header = try #require(sent.headers.first?.value)
    #expect(header.hasPrefix("OAuth realm=\"Photos\", oauth_callback=\"http%3A%2F%2Fprinter"))
    let received = try ReceivedSignature(
      request: SignableRequest(method: sent.method, url: RequestURL(sent.url)),
      header: AuthorizationHeader(parsing: header))
    #expect(
      received.baseString.text.hasSuffix(
        OAuth.PercentEncoding.encode(vector.normalizedParameters + "&oauth_version=1.0")))
  }

  @Test("an out-of-band callback is sent as `oob`, and extra parameters are sent in a signed form")
  func outOfBand() throws {
    let request = TemporaryCredentialsRequest(
      endpoint: try RequestURL("https://h/"), callback: .outOfBand, form: [Parameter("x_auth_access_type", "read")])
    let sent = try request.signed(by: client, nonceTimestamp: nonceTimestamp)
    let header = try #require(sent.headers.first?.value)
    #expect(try AuthorizationHeader(parsing: header)["oauth_callback"] == Array("oob".utf8))
    #expect(sent.contentType == "application/x-www-form-urlencoded")
    #expect(String(decoding: sent.body, as: UTF8.self) == "x_auth_access_type=read")
    let received = try ReceivedSignature(
      request: SignableRequest(
        method: sent.method, url: RequestURL(sent.url), contentType: sent.contentType, body: sent.body),
      header: AuthorizationHeader(parsing: header))
    #expect(received.baseString.text.hasSuffix("%26x_auth_access_type%3Dread"))
    #expect(try received.isValid(clientSecret: client.secret, tokenSecret: nil))
  }

  @Test("the token request is signed with the request token's secret and contains the verifier in its header")
  func tokenRequest() throws {
    let request = TokenRequest(endpoint: try RequestURL("https://h/"), temporary: temporary, verifier: Secret("v 1"))
    let sent = try request.signed(by: client, nonceTimestamp: nonceTimestamp)
    let header = try AuthorizationHeader(parsing: try #require(sent.headers.first?.value))
    #expect(header["oauth_verifier"] == Array("v 1".utf8))
    #expect(header["oauth_token"] == Array("T 1".utf8))
    let received = try ReceivedSignature(
      request: SignableRequest(method: sent.method, url: RequestURL(sent.url)), header: header)
    #expect(try received.isValid(clientSecret: Secret("cs"), tokenSecret: Secret("ts")))
    #expect(try !received.isValid(clientSecret: Secret("cs"), tokenSecret: nil))
  }

  @Test(
    "the authorisation URL preserves the endpoint's own query",
    arguments: [
      ("https://h/authorize", "https://h/authorize?oauth_token=T%201&force_login=true"),
      ("https://h/authorize?", "https://h/authorize?oauth_token=T%201&force_login=true"),
      ("https://h?a=%2f+", "https://h/?a=%2f+&oauth_token=T%201&force_login=true"),
      ("https://h/x?a=1&#f", "https://h/x?a=1&oauth_token=T%201&force_login=true"),
    ])
  func authorizationURL(endpoint: String, expected: String) throws {
    let url = try temporary.authorizationURL(at: RequestURL(endpoint), adding: [Parameter("force_login", "true")])
    #expect(url.text == expected)
  }

  @Test(
    "oauth_callback_confirmed may be a case-insensitive true, and false is always refused",
    arguments: [true, false])
  func confirmation(require: Bool) throws {
    let body = "oauth_token=T&oauth_token_secret=S&oauth_callback_confirmed="
    #expect(try read(body + "True", require: require).confirmation == .callbackConfirmed)
    for value in ["false", "", "1", "FALSE", "true1"] {
      #expect(throws: OAuthResponseError.callbackNotConfirmed) { try read(body + value, require: require) }
    }
  }

  @Test(
    "a response that does not confirm the callback is either refused or marked as unconfirmed, as the caller chooses")
  func unconfirmed() throws {
    let body = "oauth_token=T&oauth_token_secret=S"
    #expect(throws: OAuthResponseError.missingParameter("oauth_callback_confirmed")) { try read(body) }
    #expect(try read(body, require: false).confirmation == .callbackUnconfirmed)
  }

  @Test(
    "a token response may have its parameters in any order and a final line break, and extra parameters are kept")
  func tolerance() throws {
    let body = "\nscreen_name=a%20b&oauth_token_secret=S%2B%3D&user_id=12&x=&oauth_token=T\r\n"
    let response = try TokenResponse(OAuthResponse(status: 200, body: Array(body.utf8)))
    #expect(response.credentials == TokenCredentials(identifier: "T", secret: Secret("S+=")))
    #expect(response.userID == "12")
    #expect(response.screenName == "a b")
    #expect(response.extra == [Parameter("screen_name", "a b"), Parameter("user_id", "12"), Parameter("x", "")])
  }

  @Test(
    "an incomplete token response is refused",
    arguments: [
      ("oauth_token=T", OAuthResponseError.missingParameter("oauth_token_secret")),
      ("oauth_token=T&oauth_token_se", .missingParameter("oauth_token_secret")),
      ("oauth_token=&oauth_token_secret=S", .missingParameter("oauth_token")),
      ("oauth_token_secret=S", .missingParameter("oauth_token")), ("", .missingParameter("oauth_token")),
      ("{}", .missingParameter("oauth_token")), ("{\"a\":", .missingParameter("oauth_token")),
      ("oauth_token=T&oauth_token=T&oauth_token_secret=S", .duplicateParameter("oauth_token")),
      ("oauth_token=T&oauth_token_secret=S&a=1&a=2", .duplicateParameter("a")),
      ("oauth_token=%FF&oauth_token_secret=S", .notText("oauth_token")),
    ])
  func notWhole(body: String, error: OAuthResponseError) {
    #expect(throws: error) { try TokenResponse(OAuthResponse(status: 200, body: Array(body.utf8))) }
    #expect(!error.description.isEmpty)
  }

  @Test("a token response with a malformed escape is refused without quoting its secret")
  func brokenEscape() {
    let body = Array("oauth_token=%zz&oauth_token_secret=hidden".utf8)
    for status in [200, 500] {
      let error = #expect(throws: OAuthResponseError.self) {
        try TokenResponse(OAuthResponse(status: status, body: body))
      }
      if status == 200 { #expect(error == .notForm(.badEscape(parameter: 0))) }
      #expect(error?.description.contains("hidden") == false)
    }
  }

  @Test("an empty token secret is accepted if its parameter is present")
  func emptySecret() throws {
    #expect(
      try TokenResponse(OAuthResponse(status: 200, body: Array("oauth_token=T&oauth_token_secret=".utf8))).credentials
        .secret
        .isEmpty)
  }
}
