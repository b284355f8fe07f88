import Bytes
import Cryptography
import HTTP
import SandboxSupport
import Testing
import Time

@testable import HomelineOAuth
@testable import Sandbox

@Suite("Authentication of signed requests in the sandbox")
struct StrictnessTests {
  private static func timeline(_ app: TwitterTestClient, _ signer: HandSigner) throws -> HTTP.Request {
    let url = try app.url(.homeTimeline, "?" + HandSigner.sent(HandSigner.query))
    return TwitterTestClient.request(
      "GET", url, try signer.header("GET", app.origin + TwitterRoute.homeTimeline.path, HandSigner.query))
  }

  @Test("Valid signatures computed by hand are accepted, with SHA-1 and with SHA-256")
  func right() throws {
    var app = TwitterTestClient()
    var signer = HandSigner(token: try app.login(), timestamp: app.now.seconds)
    #expect(app.send(try Self.timeline(app, signer)).status == .ok)
    signer.signatureMethod = .hmacSHA256
    signer.nonce = "another"
    #expect(app.send(try Self.timeline(app, signer)).status == .ok)
  }

  @Test("Each common signing mistake is refused with code 32", arguments: HandSigner.Flaw.allCases)
  func flaws(flaw: HandSigner.Flaw) throws {
    var app = TwitterTestClient()
    var signer = HandSigner(token: try app.login(), timestamp: app.now.seconds)
    signer.flaw = flaw
    let response = app.send(try Self.timeline(app, signer))
    #expect(response.status == .unauthorized)
    #expect(response.code == 32)
    // The refused request has not used up its nonce, so a request with a valid signature and that nonce is accepted.
    signer.flaw = nil
    #expect(app.send(try Self.timeline(app, signer)).status == .ok)
  }

  @Test("A signature covers a form body, but not a multipart body that looks like a form")
  func bodies() throws {
    for (type, signsBody, status) in [
      ("application/x-www-form-urlencoded", true, StatusCode.ok),
      ("application/x-www-form-urlencoded; charset=UTF-8", true, .ok),
      ("application/x-www-form-urlencoded", false, .unauthorized),
      ("multipart/form-data; boundary=x", true, .unauthorized),
      ("multipart/form-data; boundary=x", false, .ok),
    ] {
      var app = TwitterTestClient()
      let signer = HandSigner(token: try app.login(), timestamp: app.now.seconds)
      let url = try app.url(.invalidateToken)
      let header = try signer.header("POST", url.text, [], form: signsBody ? [("a", "1 2")] : [])
      let request = TwitterTestClient.request(
        "POST", url, header, headers: [.contentType: FieldValue(type)!], body: Array("a=1+2".utf8))
      #expect(app.send(request).status == status, "\(type), body signed: \(signsBody)")
    }
  }

  @Test(
    "Unsigned requests are refused with the error for bad authentication data",
    arguments: [nil, "Basic eDp5", "Bearer x", "OAuth", "OAuth a"])
  func unsigned(header: String?) throws {
    var app = TwitterTestClient()
    let response = app.send(TwitterTestClient.request("GET", try app.url(.homeTimeline), header))
    #expect(response.status == .badRequest)
    #expect(response.code == 215)
  }

  @Test("A repeated protocol parameter makes a request invalid")
  func doubled() throws {
    var app = TwitterTestClient()
    let token = try app.login()
    let right = try app.signed(.homeTimeline, by: token)
    let header = try #require(right.headers.first("Authorization"))
    for (query, header) in [("?oauth_version=1.0", header), ("", header + ", oauth_nonce=\"n\"")] {
      let response = app.send(TwitterTestClient.request("GET", try app.url(.homeTimeline, query), header))
      #expect(response.status == .badRequest)
      #expect(response.code == 215)
    }
  }

  @Test(
    "Timestamps off by more than five minutes are refused, and the Date header contains the correct time")
  func timestamps() throws {
    var app = TwitterTestClient()
    let token = try app.login()
    for (offset, status) in [(0, StatusCode.ok), (-300, .ok), (300, .ok), (-301, .unauthorized), (301, .unauthorized)] {
      let signer = HandSigner(token: token, timestamp: app.now.seconds + Int64(offset), nonce: "n\(offset)")
      let response = app.send(try Self.timeline(app, signer))
      #expect(response.status == status, "\(offset) s off")
      #expect(response.code == (status == .ok ? nil : 135))
      #expect(response.headers.first("Date").flatMap { Timestamp(imfFixdate: $0) } == app.now)
    }
    let far = HandSigner(token: token, timestamp: .max)
    #expect(app.send(try Self.timeline(app, far)).code == 135)
  }

  @Test("A client is accepted after it has corrected its clock with the Date header")
  func clockOffset() throws {
    var app = TwitterTestClient()
    let token = try app.login()
    app.provider.clockOffset = .seconds(600)
    let refused = try app.get(.homeTimeline, by: token)
    #expect(refused.code == 135)
    let date = try #require(refused.headers.first("Date").flatMap { Timestamp(imfFixdate: $0) })
    #expect(date == app.now + .seconds(600))
    let url = try app.url(.homeTimeline)
    let authorization = try Signer(client: TwitterSandbox.consumer, token: .token(token))
      .sign(SignableRequest(method: "GET", url: url), nonceTimestamp: NonceTimestamp.random(timestamp: date.seconds))
    #expect(app.send(TwitterTestClient.request("GET", url, authorization.headerValue)).status == .ok)
  }

  @Test("A replayed request is refused, but the same nonce with a different timestamp is accepted")
  func replay() throws {
    var app = TwitterTestClient()
    let token = try app.login()
    let request = try app.signed(.homeTimeline, by: token)
    #expect(app.send(request).status == .ok)
    let again = app.send(request)
    #expect(again.status == .unauthorized)
    #expect(again.code == 32)
    // The server remembers the nonce as long as it accepts the timestamp. Later requests are refused because of their timestamp alone.
    app.now = app.now + .seconds(300)
    #expect(app.send(request).code == 32)
    app.now = app.now + .seconds(1)
    #expect(app.send(request).code == 135)
    for second: Int64 in [0, 1] {
      let signer = HandSigner(token: token, timestamp: app.now.seconds + second, nonce: "same")
      #expect(app.send(try Self.timeline(app, signer)).status == .ok)
    }
  }

  @Test("Unknown consumer keys and tokens from other servers are refused")
  func strangers() throws {
    var app = TwitterTestClient()
    let token = try app.login()
    let url = try app.url(.homeTimeline)
    let stranger = try Signer(
      client: ClientCredentials(identifier: "x", secret: TwitterSandbox.consumer.secret), token: .token(token)
    ).sign(SignableRequest(method: "GET", url: url), nonceTimestamp: app.nonceTimestamp())
    #expect(app.send(TwitterTestClient.request("GET", url, stranger.headerValue)).code == 32)

    let changed = String(token.identifier.dropLast()) + (token.identifier.hasSuffix("A") ? "B" : "A")
    for identifier in [changed, "14000001-", "", "x", try app.requestToken().identifier] {
      let response = try app.get(.homeTimeline, by: TokenCredentials(identifier: identifier, secret: token.secret))
      #expect(response.status == .unauthorized)
      #expect(response.code == 89)
    }
  }

  @Test("PLAINTEXT signatures are accepted if their secrets are percent-encoded")
  func plaintext() throws {
    var app = TwitterTestClient()
    app.method = .plaintext
    let token = try app.login()
    #expect(try app.page(by: token).count == 20)
    let raw =
      "OAuth oauth_consumer_key=\"sandbox\", oauth_signature_method=\"PLAINTEXT\", oauth_callback=\"oob\", oauth_signature="
    let url = try app.url(.requestToken)
    for (signature, status) in [
      ("open%252Bsesame%252F%2526%253D%2525%26", StatusCode.ok), ("open%2Bsesame%2F%26%3D%25%26", .unauthorized),
    ] {
      #expect(app.send(TwitterTestClient.request("POST", url, raw + "\"\(signature)\"")).status == status)
    }
  }

  @Test("Signed requests for unknown paths get error 34 as JSON")
  func notThere() throws {
    var app = TwitterTestClient()
    for (method, path) in [
      ("GET", "/"), ("GET", "/1.1/lists/members.json"), ("POST", TwitterRoute.homeTimeline.path),
      ("DELETE", "/oauth/authorize"),
    ] {
      let response = app.send(TwitterTestClient.request(method, try RequestURL(app.origin + path), nil))
      #expect(response.status == .notFound)
      #expect(response.code == 34)
    }
  }
}

/// A signer for tests, which signs either correctly or with one of the common mistakes. It shares only the hash function with the
/// signer in `Sources`.
struct HandSigner {
  enum Flaw: CaseIterable {
    case joinedSort, rawSecrets, queryInURI, queryNotSigned, lowerCaseEscapes, noTokenSecret, plusForSpace,
      lowerCaseMethod, portLeftOut, signedTwice, hexadecimal
  }

  var flaw: Flaw?
  var token: TokenCredentials
  var timestamp: Int64
  var nonce = "hand"
  var signatureMethod = SignatureMethod.hmacSHA1

  /// The parameters of a GET request, which reveal wrong sorting and wrong escaping.
  static let query = [("a", "1"), ("a-b", "2"), ("a.b", "3"), ("a1", "4"), ("aa", "5"), ("note", "é 水~*'()!+/")]

  func header(_ method: String, _ uri: String, _ query: [(String, String)], form: [(String, String)] = []) throws
    -> String
  {
    let own = [
      ("oauth_consumer_key", TwitterSandbox.consumer.identifier), ("oauth_nonce", nonce),
      ("oauth_signature_method", signatureMethod.rawValue),
      ("oauth_timestamp", String(timestamp)), ("oauth_token", token.identifier), ("oauth_version", "1.0"),
    ]
    var base = uri
    var signed = own + form + (flaw == .queryNotSigned ? [] : query)
    if flaw == .queryInURI {
      base += "?" + query.map { "\(encode($0.0))=\(encode($0.1))" }.joined(separator: "&")
      signed = own + form
    }
    if flaw == .signedTwice { signed += query }
    if flaw == .portLeftOut { base = base.replacing(":4000", with: "") }
    let text = [flaw == .lowerCaseMethod ? method.lowercased() : method, encode(base), encode(normalized(signed))]
      .joined(separator: "&")
    let secrets = TwitterSandbox.consumer.secret.withExposedText { client in
      token.secret.withExposedText { (client, flaw == .noTokenSecret ? "" : $0) }
    }
    let key = flaw == .rawSecrets ? "\(secrets.0)&\(secrets.1)" : "\(encode(secrets.0))&\(encode(secrets.1))"
    let code = try HMAC.code(
      signatureMethod == .hmacSHA1 ? .sha1 : .sha256, key: Array(key.utf8), message: Array(text.utf8))
    let signature =
      flaw == .hexadecimal
      ? code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() : Base64.encode(code)
    return "OAuth "
      + (own + [("oauth_signature", signature)]).map { "\($0.0)=\"\(percent($0.1))\"" }.joined(separator: ", ")
  }

  private func normalized(_ parameters: [(String, String)]) -> String {
    let encoded = parameters.map { (encode($0.0), encode($0.1)) }
    if flaw == .joinedSort { return encoded.map { "\($0.0)=\($0.1)" }.sorted().joined(separator: "&") }
    return encoded.sorted { $0.0 == $1.0 ? $0.1 < $1.1 : $0.0 < $1.0 }.map { "\($0.0)=\($0.1)" }
      .joined(separator: "&")
  }

  private func encode(_ text: String) -> String {
    let right = percent(text)
    switch flaw {
    case .lowerCaseEscapes:
      // This changes only the letters after a percent sign, and the rest of the text keeps its case.
      return right.split(separator: "%", omittingEmptySubsequences: false).enumerated()
        .map { $0 == 0 ? String($1) : "%" + $1.prefix(2).lowercased() + $1.dropFirst(2) }.joined()
    case .plusForSpace: return right.replacing("%20", with: "+")
    default: return right
    }
  }

  private func percent(_ text: String) -> String {
    text.utf8.map { byte -> String in
      let letter = Character(UnicodeScalar(byte))
      if byte < 128, letter.isLetter || letter.isNumber || "-._~".contains(letter) { return String(letter) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  /// Returns the query as the client sends it.
  static func sent(_ query: [(String, String)]) -> String {
    FormEncoding.encode(query.map { Parameter($0.0, $0.1) })
  }
}
