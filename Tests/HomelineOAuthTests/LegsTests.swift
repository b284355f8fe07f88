import HomelineOAuth
import Testing

@Suite("The three legs")
struct LegsTests {
  private let client = ClientCredentials(identifier: "ck", secret: Secret("cs"))
  private let stamp = NonceTimestamp(timestamp: 1_700_000_000, nonce: Nonce("n"))
  private let temporary = TemporaryCredentials(identifier: "T 1", secret: Secret("ts"))

  private func read(
    _ body: String, status: Int? = 200, require: Bool = true
  ) throws(OAuthResponseError) -> TemporaryCredentialsResponse {
    try TemporaryCredentialsResponse(
      OAuthResponse(status: status, body: Array(body.utf8)), requireCallbackConfirmation: require)
  }

  @Test("token answers are read as published", arguments: Vectors.published.tokenResponseParse)
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
      #expect(refusal.message == "an HTML page where a token answer was expected")
    default: Issue.record("\(String(describing: vector.expectedError)) gave \(String(describing: error))")
    }
  }

  @Test("the first leg is a signed POST with oauth_callback in the header")
  func firstLeg() throws {
    let vector = Vectors.request("rfc5849-1.2-initiate")
    let request = TemporaryCredentialsRequest(
      endpoint: try RequestURL("https://photos.example.net/initiate"),
      callback: .url(try RequestURL("http://printer.example.com/ready")))
    let sent = try request.signed(
      by: ClientCredentials(identifier: "dpf43f3p2l4k3l03", secret: Secret(vector.consumerSecret)), realm: "Photos",
      stamp: NonceTimestamp(timestamp: 137_131_200, nonce: Nonce("wIjqoS")))
    #expect(sent.method == "POST")
    #expect(sent.contentType == nil)
    #expect(sent.body.isEmpty)
    #expect(sent.authorization.headerValue.hasPrefix("OAuth realm=\"Photos\", oauth_callback=\"http%3A%2F%2Fprinter"))
    #expect(
      sent.authorization.normalizedParameters.text == vector.normalizedParameters + "&oauth_version=1.0")
  }

  @Test("out of band is written oob, and further parameters go into a signed form body")
  func outOfBand() throws {
    let request = TemporaryCredentialsRequest(
      endpoint: try RequestURL("https://h/"), callback: .outOfBand, form: [Parameter("x_auth_access_type", "read")])
    let sent = try request.signed(by: client, stamp: stamp)
    #expect(sent.authorization.header["oauth_callback"] == Array("oob".utf8))
    #expect(sent.contentType == "application/x-www-form-urlencoded")
    #expect(String(decoding: sent.body, as: UTF8.self) == "x_auth_access_type=read")
    #expect(sent.authorization.normalizedParameters.text.hasSuffix("&x_auth_access_type=read"))
  }

  @Test("the third leg is signed with the request token's secret and carries the verifier in the header")
  func thirdLeg() throws {
    let request = TokenRequest(endpoint: try RequestURL("https://h/"), temporary: temporary, verifier: Secret("v 1"))
    let sent = try request.signed(by: client, stamp: stamp)
    #expect(sent.authorization.header["oauth_verifier"] == Array("v 1".utf8))
    #expect(sent.authorization.header["oauth_token"] == Array("T 1".utf8))
    let received = try ReceivedSignature(
      request: SignableRequest(method: sent.method, url: sent.url), header: sent.authorization.header)
    #expect(try received.isMade(withClientSecret: Secret("cs"), tokenSecret: Secret("ts")))
    #expect(try !received.isMade(withClientSecret: Secret("cs"), tokenSecret: nil))
  }

  @Test(
    "the authorisation URL keeps the endpoint's own query in front",
    arguments: [
      ("https://h/authorize", "https://h/authorize?oauth_token=T%201&force_login=true"),
      ("https://h/authorize?", "https://h/authorize?oauth_token=T%201&force_login=true"),
      ("https://h?a=%2f+", "https://h/?a=%2f+&oauth_token=T%201&force_login=true"),
      ("https://h/x?a=1&#f", "https://h/x?a=1&oauth_token=T%201&force_login=true"),
    ])
  func secondLeg(endpoint: String, expected: String) throws {
    let url = try temporary.authorizationURL(at: RequestURL(endpoint), adding: [Parameter("force_login", "true")])
    #expect(url.text == expected)
  }

  @Test("confirmation is true in any letter case, and false is refused whatever the policy", arguments: [true, false])
  func confirmation(require: Bool) throws {
    let body = "oauth_token=T&oauth_token_secret=S&oauth_callback_confirmed="
    #expect(try read(body + "True", require: require).confirmation == .callbackConfirmed)
    for value in ["false", "", "1", "FALSE", "true1"] {
      #expect(throws: OAuthResponseError.callbackNotConfirmed) { try read(body + value, require: require) }
    }
  }

  @Test("an answer that says nothing of the callback is refused or marked, as the caller wants")
  func unconfirmed() throws {
    let body = "oauth_token=T&oauth_token_secret=S"
    #expect(throws: OAuthResponseError.missingParameter("oauth_callback_confirmed")) { try read(body) }
    #expect(try read(body, require: false).confirmation == .callbackUnconfirmed)
  }

  @Test("order does not matter, more parameters are kept, and a line break at the end is no part of the secret")
  func tolerance() throws {
    let body = "\nscreen_name=a%20b&oauth_token_secret=S%2B%3D&user_id=12&x=&oauth_token=T\r\n"
    let response = try TokenResponse(OAuthResponse(status: 200, body: Array(body.utf8)))
    #expect(response.credentials == TokenCredentials(identifier: "T", secret: Secret("S+=")))
    #expect(response.userID == "12")
    #expect(response.screenName == "a b")
    #expect(response.extra == [Parameter("screen_name", "a b"), Parameter("user_id", "12"), Parameter("x", "")])
  }

  @Test(
    "an answer that is not whole brings nothing",
    arguments: [
      ("oauth_token=T", OAuthResponseError.missingParameter("oauth_token_secret")),
      ("oauth_token=T&oauth_token_se", .missingParameter("oauth_token_secret")),
      ("oauth_token=&oauth_token_secret=S", .missingParameter("oauth_token")),
      ("oauth_token_secret=S", .missingParameter("oauth_token")), ("", .missingParameter("oauth_token")),
      ("{}", .missingParameter("oauth_token")), ("{\"a\":", .missingParameter("oauth_token")),
      ("oauth_token=T&oauth_token=T&oauth_token_secret=S", .doubledParameter("oauth_token")),
      ("oauth_token=T&oauth_token_secret=S&a=1&a=2", .doubledParameter("a")),
      ("oauth_token=%FF&oauth_token_secret=S", .notText("oauth_token")),
    ])
  func notWhole(body: String, error: OAuthResponseError) {
    #expect(throws: error) { try TokenResponse(OAuthResponse(status: 200, body: Array(body.utf8))) }
    #expect(!error.description.isEmpty)
  }

  @Test("an answer with a broken escape brings nothing, and its secret is not quoted")
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

  @Test("an empty secret that is there is a secret")
  func emptySecret() throws {
    #expect(
      try TokenResponse(OAuthResponse(status: 200, body: Array("oauth_token=T&oauth_token_secret=".utf8))).credentials
        .secret
        .isEmpty)
  }
}
