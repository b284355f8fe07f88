import Bytes
import Cryptography
import HomelineOAuth
import Testing

/// Common mistakes in signing, which the signer must not make.
@Suite("Signing requests with OAuth 1.0a")
struct SigningTests {
  private let client = ClientCredentials(identifier: "ck", secret: Secret("cs"))
  private let nonceTimestamp = NonceTimestamp(timestamp: 1_700_000_000, nonce: Nonce("n"))

  private func sign(
    _ url: String, method: String = "GET", form: [Parameter] = [], with signatureMethod: SignatureMethod = .hmacSHA1,
    token: TokenRole = .none, additional: [Parameter] = []
  ) throws -> Authorization {
    let signer = Signer(client: client, token: token, method: signatureMethod)
    return try signer.sign(
      SignableRequest(method: method, url: RequestURL(url), form: form), nonceTimestamp: nonceTimestamp,
      additional: additional)
  }

  @Test("each byte of a CJK character or an emoji becomes an upper-case escape")
  func bytes() {
    #expect(PercentEncoding.encode("秘密") == "%E7%A7%98%E5%AF%86")
    #expect(PercentEncoding.encode("👨‍👩‍👧") == "%F0%9F%91%A8%E2%80%8D%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7")
    #expect(PercentEncoding.encode([0xFF, 0x00, 0x7E]) == "%FF%00~")
  }

  @Test("percent-encoding leaves exactly the 66 unreserved characters unencoded")
  func unreserved() {
    let kept = (0...255).map { UInt8($0) }.filter { PercentEncoding.encode([$0]).utf8.elementsEqual([$0]) }
    #expect(kept.count == 66)
    #expect(Set(kept) == Set(PercentEncoding.unreserved.utf8))
  }

  @Test("composed and decomposed characters are signed differently and preserved")
  func noNormalisation() {
    let both = [Parameter("\u{E9}", "1"), Parameter("e\u{301}", "1")]
    #expect(both[0] != both[1])
    #expect(NormalizedParameters(both).text == "%C3%A9=1&e%CC%81=1")
  }

  @Test("parameters are sorted by encoded name and then by encoded value")
  func sorting() {
    let pairs = [("a1", "4"), ("a.b", "3"), ("aa", "5"), ("a-b", "2"), ("a", "1"), ("a", "%"), ("あ", "0")]
    #expect(
      NormalizedParameters(pairs.map { Parameter($0, $1) }).text
        == "%E3%81%82=0&a=%25&a=1&a-b=2&a.b=3&a1=4&aa=5")
  }

  @Test("repeated parameter names are preserved, even with equal values")
  func duplicates() throws {
    let signed = try sign("http://h/p?a=2&a=2&a=1", method: "POST", form: [Parameter("a", "2")])
    #expect(signed.normalizedParameters.text.hasPrefix("a=1&a=2&a=2&a=2&oauth_"))
  }

  @Test("the signing key contains both secrets in encoded form, joined by an ampersand even without a token")
  func keys() {
    func key(_ client: String, _ token: String?) -> String {
      SigningKey(clientSecret: Secret(client), tokenSecret: token.map { Secret($0) })
        .withExposed { String(decoding: $0, as: UTF8.self) }
    }
    #expect(key("c&s%", "t/s+=") == "c%26s%25&t%2Fs%2B%3D")
    #expect(key("cs", nil) == "cs&")
    #expect(key("cs", "") == "cs&")
    #expect(key("", "ts") == "&ts")
    #expect(key("", nil) == "&")
  }

  @Test("printing a signing key shows only which secrets it contains")
  func maskedKeys() {
    func masked(_ client: String, _ token: String?) -> String {
      let key = SigningKey(clientSecret: Secret(client), tokenSecret: token.map { Secret($0) })
      #expect("\(key)" == key.masked)
      return key.masked
    }
    #expect(masked("hidden", "veiled") == "<consumer secret>&<token secret>")
    #expect(masked("hidden", nil) == "<consumer secret>&")
    #expect(masked("", "veiled") == "&<token secret>")
  }

  @Test("the exchange of a request token is signed with the request token's secret")
  func requestTokenSecret() throws {
    let vector = Vectors.request("twitter-login-access-token")
    #expect(!vector.tokenSecret.isEmpty)
    #expect(try vector.sign().signature.text == vector.signature)
    #expect(try vector.sign(tokenSecret: "").signature.text != vector.signature)
  }

  @Test("the base string contains the port unless it is the scheme's default")
  func ports() throws {
    let plain = try sign("http://h/").signature
    #expect(try sign("http://h:80/").signature == plain)
    #expect(try sign("http://h:443/").signature != plain)
    #expect(try sign("https://h:443/").signature == sign("https://h/").signature)
    #expect(try sign("https://h:80/").signature != sign("https://h/").signature)
  }

  @Test("the query of a GET request is signed once, as parameters")
  func queryOnce() throws {
    let signed = try sign("http://h/p?count=2&since_id=5")
    #expect(signed.baseString.text.hasPrefix("GET&http%3A%2F%2Fh%2Fp&count%3D2%26oauth_"))
    #expect(signed.normalizedParameters.text.hasSuffix("&since_id=5"))
  }

  @Test("a plus sign in a signed query means a space, and %2B means a plus sign")
  func plus() throws {
    let signed = try sign("http://h/p?a=1+2&b=1%2B2")
    #expect(signed.normalizedParameters.text.hasPrefix("a=1%202&b=1%2B2&"))
  }

  @Test("the path of a URL is encoded again in the base string but otherwise unchanged")
  func path() throws {
    let signed = try sign("http://h/a%2fb//../c%20d")
    #expect(signed.baseString.text.hasPrefix("GET&http%3A%2F%2Fh%2Fa%252fb%2F%2F..%2Fc%2520d&"))
  }

  @Test(
    "a request body is signed only if its content type is form data",
    arguments: [
      ("application/x-www-form-urlencoded", true), ("Application/X-WWW-Form-Urlencoded", true),
      ("application/x-www-form-urlencoded; charset=UTF-8", true),
      ("application/x-www-form-urlencoded;charset=utf-8", true),
      ("multipart/form-data; boundary=B", false), ("multipart/x; t=application/x-www-form-urlencoded", false),
      ("application/json", false), ("application/x-www-form-urlencodedx", false), ("", false), (nil, false),
    ] as [(String?, Bool)])
  func bodies(contentType: String?, isSigned: Bool) throws {
    let url = try RequestURL("http://h/")
    let request = try SignableRequest(method: "POST", url: url, contentType: contentType, body: Array("a=1".utf8))
    #expect(request.form == (isSigned ? [Parameter("a", "1")] : []))
  }

  @Test("a multipart body is not parsed")
  func multipartIsNotRead() throws {
    let url = try RequestURL("http://h/")
    let body = Array("%zz".utf8)
    #expect(
      try SignableRequest(method: "POST", url: url, contentType: "multipart/form-data; boundary=B", body: body).form
        .isEmpty)
    #expect(throws: FormError.badEscape(parameter: 0)) {
      try SignableRequest(method: "POST", url: url, contentType: "application/x-www-form-urlencoded", body: body)
    }
  }

  @Test("request methods are converted to upper case before they are signed")
  func methods() throws {
    #expect(try sign("http://h/", method: "post").baseString == sign("http://h/", method: "POST").baseString)
    #expect(throws: SigningError.badMethod) { try sign("http://h/", method: "") }
    #expect(throws: SigningError.badMethod) { try sign("http://h/", method: "GET /") }
  }

  @Test("oauth_callback and oauth_verifier are sent in the header and signed")
  func additional() throws {
    let callback = "http://127.0.0.1:8765/callback?s=a b"
    let signed = try sign("https://h/", method: "POST", additional: [Parameter("oauth_callback", callback)])
    #expect(
      signed.headerValue.hasPrefix("OAuth oauth_callback=\"http%3A%2F%2F127.0.0.1%3A8765%2Fcallback%3Fs%3Da%20b\", "))
    #expect(signed.normalizedParameters.text.hasPrefix("oauth_callback=http%3A%2F%2F127.0.0.1%3A8765"))
  }

  @Test("the Authorization header is sorted and formatted as in the published examples, with an unsigned realm first")
  func header() throws {
    let request = SignableRequest(method: "GET", url: try RequestURL("http://h/"))
    let token = TokenRole.token(TokenCredentials(identifier: "t", secret: Secret("ts")))
    let plain = try Signer(client: client, token: token).sign(request, nonceTimestamp: nonceTimestamp)
    let named = try Signer(client: client, token: token, realm: "a \"b\"\r\nX: y").sign(
      request, nonceTimestamp: nonceTimestamp)
    #expect(
      plain.headerValue
        == "OAuth oauth_consumer_key=\"ck\", oauth_nonce=\"n\", "
        + "oauth_signature=\"\(PercentEncoding.encode(plain.signature.text))\", "
        + "oauth_signature_method=\"HMAC-SHA1\", oauth_timestamp=\"1700000000\", oauth_token=\"t\", oauth_version=\"1.0\""
    )
    #expect(named.signature == plain.signature)
    #expect(named.headerValue == "OAuth realm=\"a \\\"b\\\"X: y\", " + plain.headerValue.dropFirst(6))
    #expect(try AuthorizationHeader(parsing: named.headerValue).realm == "a \"b\"X: y")
  }

  @Test("an omitted token or version is not signed")
  func leftOut() throws {
    let request = SignableRequest(method: "GET", url: try RequestURL("http://h/"))
    let bare = try Signer(client: client, token: .none, sendsVersion: false).sign(
      request, nonceTimestamp: nonceTimestamp)
    #expect(bare.header["oauth_token"] == nil)
    #expect(bare.header["oauth_version"] == nil)
    #expect(!bare.normalizedParameters.text.contains("oauth_token="))
    #expect(!bare.normalizedParameters.text.contains("oauth_version="))
    let empty = try Signer(client: client, token: .empty, sendsVersion: false).sign(
      request, nonceTimestamp: nonceTimestamp)
    #expect(empty.header["oauth_token"] == [])
    #expect(empty.signature != bare.signature)
  }

  @Test("PLAINTEXT is allowed only over TLS or for servers on this machine")
  func plaintext() throws {
    #expect(try sign("https://h/", with: .plaintext).signature.text == "cs&")
    #expect(try sign("http://127.0.0.1:8080/", with: .plaintext).signature.text == "cs&")
    #expect(try sign("http://[::1]:8080/", with: .plaintext).signature.text == "cs&")
    #expect(throws: SigningError.plaintextWithoutTLS(host: "h")) { try sign("http://h/", with: .plaintext) }
    #expect(SigningError.plaintextWithoutTLS(host: "h").description.contains("https"))
  }

  @Test("a request that would contain a protocol parameter twice is not signed")
  func doubled() throws {
    #expect(throws: SigningError.duplicateParameter("oauth_nonce")) { try sign("http://h/?oauth_nonce=1") }
    #expect(throws: SigningError.duplicateParameter("oauth_signature")) { try sign("http://h/?oauth_signature=1") }
    #expect(throws: SigningError.duplicateParameter("oauth_token")) {
      try sign(
        "http://h/", method: "POST", form: [Parameter("oauth_token", "t")],
        token: .token(TokenCredentials(identifier: "t", secret: Secret(""))))
    }
  }

  @Test("a query with a malformed escape is not signed")
  func brokenQuery() {
    #expect(throws: SigningError.badQuery(.badEscape(parameter: 1))) { try sign("http://h/?a=1&b=%zz") }
    #expect(throws: SigningError.badQuery(.badEscape(parameter: 0))) { try sign("http://h/?a=%4") }
  }

  @Test("a timestamp from a clock that was never set is refused")
  func timestamps() throws {
    let request = SignableRequest(method: "GET", url: try RequestURL("http://h/"))
    #expect(throws: SigningError.badTimestamp(0)) {
      try Signer(client: client, token: .none).sign(
        request, nonceTimestamp: NonceTimestamp(timestamp: 0, nonce: Nonce("n")))
    }
  }

  @Test("printing a signer, a signed request or a response does not show a secret")
  func descriptions() throws {
    let client = ClientCredentials(identifier: "ck", secret: Secret("hidden"))
    let signer = Signer(
      client: client, token: .token(TokenCredentials(identifier: "t", secret: Secret("veiled"))), method: .plaintext)
    let signed = try signer.sign(
      SignableRequest(method: "GET", url: RequestURL("https://h/")), nonceTimestamp: nonceTimestamp)
    let response = OAuthResponse(status: 200, body: Array("oauth_token_secret=hidden".utf8))
    #expect("\(response)" == "status 200, 25 bytes")
    var shown = "\(signer) \(signed) \(signed.signature) \(signed.header) \(signed.maskedKey)"
    dump(signer, to: &shown)
    dump(signed, to: &shown)
    dump(response, to: &shown)
    #expect(!shown.contains("hidden"))
    #expect(!shown.contains("veiled"))
    #expect(signed.headerValue.contains("hidden%26veiled"))
  }

  @Test("a signature method is found by its case-insensitive name, but its raw value is case-sensitive")
  func methodNames() {
    #expect(SignatureMethod(named: "hmac-sha256") == .hmacSHA256)
    #expect(SignatureMethod(named: "PlainText") == .plaintext)
    #expect(SignatureMethod(named: "RSA-SHA1") == nil)
    #expect(SignatureMethod(rawValue: "hmac-sha1") == nil)
  }
}
