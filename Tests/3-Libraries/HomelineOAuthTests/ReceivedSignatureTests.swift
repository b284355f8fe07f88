import Bytes
import Cryptography
import HomelineOAuth
import Testing

@Suite("Received OAuth 1.0a signatures")
struct ReceivedSignatureTests {
  private let complete = [
    ("oauth_consumer_key", "ck"), ("oauth_signature_method", "HMAC-SHA1"), ("oauth_timestamp", "1"),
    ("oauth_nonce", "n"), ("oauth_signature", "s"),
  ]

  private func received(_ pairs: [(String, String)], url: String = "http://h/") throws -> ReceivedSignature {
    try ReceivedSignature(
      request: SignableRequest(method: "GET", url: RequestURL(url)),
      header: AuthorizationHeader(parameters: pairs.map { Parameter($0, $1) }))
  }

  @Test("the error names the parameter that is missing from a received signature", arguments: 0..<5)
  func missing(index: Int) {
    var pairs = complete
    let name = pairs.remove(at: index).0
    #expect(throws: ReceivedSignatureError.missingParameter(name)) { try received(pairs) }
  }

  @Test("a protocol parameter that is in both the header and the query counts as a duplicate")
  func doubled() {
    #expect(throws: ReceivedSignatureError.duplicateParameter("oauth_nonce")) {
      try received(complete, url: "http://h/?oauth_nonce=n")
    }
  }

  @Test(
    "the timestamp of a received signature must be a positive integer",
    arguments: ["0", "-1", "+1", "1.0", "1e3", " 1", "99999999999999999999"])
  func timestamps(text: String) {
    let pairs = complete.map { $0.0 == "oauth_timestamp" ? ($0.0, text) : $0 }
    #expect(throws: ReceivedSignatureError.badTimestamp) { try received(pairs) }
  }

  @Test("unsupported signature methods and OAuth versions are refused")
  func unsupported() {
    let rsa = complete.map { $0.0 == "oauth_signature_method" ? ($0.0, "RSA-SHA1") : $0 }
    #expect(throws: ReceivedSignatureError.unsupportedMethod("RSA-SHA1")) { try received(rsa) }
    #expect(throws: ReceivedSignatureError.unsupportedVersion) { try received(complete + [("oauth_version", "2.0")]) }
  }

  @Test("a PLAINTEXT signature may omit timestamp and nonce, and is still checked")
  func plaintext() throws {
    let pairs = [("oauth_consumer_key", "ck"), ("oauth_signature_method", "PLAINTEXT"), ("oauth_signature", "a&b")]
    let claim = try received(pairs, url: "https://h/")
    #expect(claim.timestamp == nil)
    #expect(claim.nonce == nil)
    #expect(try claim.isValid(clientSecret: Secret("a"), tokenSecret: Secret("b")))
    #expect(try !claim.isValid(clientSecret: Secret("a"), tokenSecret: nil))
  }

  @Test("all protocol parameters of a received signature may be in the query")
  func inTheQuery() throws {
    let query = FormEncoding.encode(complete.map { Parameter($0, $1) })
    let claim = try ReceivedSignature(
      request: SignableRequest(method: "GET", url: RequestURL("http://h/?" + query)), header: nil)
    #expect(claim.consumerKey == "ck")
    #expect(claim.token == nil)
    #expect(claim["oauth_nonce"] == "n")
    #expect(!claim.baseString.text.contains("oauth_signature%3D"))
  }
}
