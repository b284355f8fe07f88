import HomelineOAuth
import Testing

@Suite("Provider errors")
struct ProviderErrorTests {
  private func find(_ body: String, status: Int? = nil, challenges: [String] = []) -> OAuth.ProviderError? {
    OAuth.ProviderError(
      OAuthResponse(status: status, challenges: challenges, body: Array(body.utf8)), expecting: "a token response")
  }

  @Test(
    "an error in any known format is found, regardless of the status",
    arguments: [
      (#"{"errors":[{"code":32,"message":"Could not authenticate you."}]}"#, 32, "Could not authenticate you."),
      (#"{"errors":[{"message":"Timestamp out of bounds","code":135}]}"#, 135, "Timestamp out of bounds"),
      (#"{"errors":{"code":89,"message":"Invalid"}}"#, 89, "Invalid"), (#"{"errors":"Over there"}"#, nil, "Over there"),
      (#"{"errors":["First","Second"]}"#, nil, "First"),
      (#"{"error":"Not authorized","request":"/1/x.json"}"#, nil, "Not authorized"),
      (#"{"error":{"code":"89","message":"Gone"}}"#, 89, "Gone"),
      (#"{"error":{"code":"mwoauth-x","info":"Bad thing"}}"#, nil, "Bad thing"),
      (#"{"error":"mwoauth-oauth-exception","message":"A longer message"}"#, nil, "A longer message"),
      (#"{"error":"invalid_request","error_description":"A longer message"}"#, nil, "A longer message"),
      (#"{"code":64,"message":"Suspended"}"#, 64, "Suspended"),
      (#"{"title":"Unauthorized","type":"about:blank","status":401,"detail":"More"}"#, nil, "More"),
      (
        #"<?xml version="1.0"?><errors><error code="415">Callback URL not approved</error></errors>"#, 415,
        "Callback URL not approved"
      ),
      ("<hash>\n <error>A &lt;b&gt; &amp;amp; c</error>\n <request>/x</request></hash>", nil, "A <b> &amp; c"),
      ("error=Invalid%20signature", nil, "Invalid signature"), ("error=Invalid+signature", nil, "Invalid signature"),
      ("oauth_problem=token_rejected", nil, "token_rejected"),
      ("oauth_problem=token_rejected&oauth_problem_advice=Ask+again", nil, "Ask again"),
      ("Error: An error occurred in the OAuth protocol", nil, "Error: An error occurred in the OAuth protocol"),
      ("Failed to validate oauth signature and token", nil, "Failed to validate oauth signature and token"),
    ] as [(String, Int?, String)])
  func shapes(body: String, code: Int?, message: String) {
    for status in [nil, 200, 401] {
      let refusal = find(body, status: status)
      #expect(refusal?.code == code)
      #expect(refusal?.message == message)
      #expect(refusal?.status == status)
      #expect(refusal?.content == .message)
    }
  }

  @Test(
    "oauth_problem is found in the body and in the challenge",
    arguments: ["token_rejected", "consumer_key_unknown", "timestamp_refused"])
  func problems(problem: String) {
    let all = [
      find("oauth_problem=\(problem)"),
      find("", status: 401, challenges: ["Basic realm=\"x\"", "OAuth oauth_problem=\(problem)"]),
      find("<html></html>", status: 401, challenges: ["OAuth realm=\"a, b\", oauth_problem=\"\(problem)\""]),
    ]
    for refusal in all { #expect(refusal?.problem == problem) }
  }

  @Test("the server's time is found in an error message")
  func serverTime() {
    let refusal = find(#"{"error":"Expired timestamp, yours 1700000000, ours 1700000900","request":"/x"}"#, status: 401)
    #expect(refusal?.serverTime == 1_700_000_900)
    let range = find("oauth_problem=timestamp_refused&oauth_acceptable_timestamps=1000-3000")
    #expect(range?.serverTime == 2_000)
    #expect(find("Timestamp out of bounds")?.serverTime == nil)
    for text in ["9223372036854775807", "253402300800"] {
      #expect(find(#"{"error":"Expired timestamp, yours 1, ours \#(text)"}"#, status: 401)?.serverTime == nil)
    }
  }

  @Test(
    "a web page is reported as a page, and not quoted",
    arguments: [
      "<!DOCTYPE html><title>Wi-Fi</title>", "\u{FEFF}<HTML><body>captive</body>", "<?xml version=\"1.0\"?><html>",
      "<p>hi</p>",
    ])
  func pages(body: String) {
    let portal = find(body, status: 200)
    #expect(portal?.message == "an HTML page where a token response was expected")
    #expect(portal?.content == .page)
    #expect(portal?.description.hasPrefix("The provider sent an HTML page") == true)
  }

  @Test(
    "a response with data is not treated as an error",
    arguments: [
      "", "[]", #"{"id":1,"text":"error"}"#, #"{"errors":[]}"#,
      #"{"data":{"id":"1"},"errors":[{"message":"partial"}]}"#,
      "oauth_token=T&oauth_token_secret=S", #"{"errors":[{"message":"cut off"#,
    ])
  func data(body: String) {
    #expect(find(body, status: 200) == nil)
    #expect(find(body) == nil)
  }

  @Test(
    "a response with an error status is an error even without a message",
    arguments: [400, 401, 404, 410, 429, 500, 503, 599])
  func statuses(status: Int) {
    for body in ["", #"{"ok":false}"#] {
      #expect(find(body, status: status)?.message == "status \(status) without a message")
      #expect(find(body, status: status)?.content == .status)
    }
  }

  @Test(
    "a problem document's reason or type is found, regardless of the status",
    arguments: [
      (
        402,
        #"{"account_id":18446744073709551615,"title":"CreditsDepleted","detail":"No credits for this request.","#
          + #""type":"https://api.twitter.com/2/problems/credits"}"#, "credits"
      ),
      (
        402,
        #"{"title":"Payment Required","detail":"credits depleted","status":402,"#
          + #""type":"https://api.x.com/2/problems/credits-depleted"}"#, "credits-depleted"
      ),
      (
        429,
        #"{"title":"UsageCapExceeded","detail":"Usage cap exceeded: Monthly product cap","#
          + #""type":"https://api.twitter.com/2/problems/usage-capped"}"#, "usage-capped"
      ),
      (
        403,
        #"{"title":"Client Forbidden","detail":"Use a project.","reason":"client-not-enrolled","#
          + #""type":"https://api.twitter.com/2/problems/client-forbidden"}"#, "client-not-enrolled"
      ),
      (
        400,
        #"{"errors":[{"message":"Bad."}],"title":"Invalid Request","#
          + #""type":"https://api.x.com/2/problems/invalid-request"}"#, "invalid-request"
      ),
      (
        200, #"{"errors":[{"title":"Gone","detail":"d","type":"https://x/resource-not-found"}]}"#, "resource-not-found"
      ),
    ] as [(Int, String, String)])
  func problemTypes(status: Int, body: String, type: String) {
    let refusal = find(body, status: status)
    #expect(refusal?.type == type)
  }

  @Test("error messages are truncated to 300 characters, put on a single line and stripped of control characters")
  func cleaning() {
    let long = find("Error: " + String(repeating: "é", count: 400))
    #expect(long?.message.count == 301)
    #expect(long?.message.hasSuffix("é…") == true)
    #expect(find("a\u{1B}[31mb\u{7}\r\n\t c\u{202E}d\u{0}")?.message == "a[31mb cd")
    #expect(find(String(repeating: "x", count: 300))?.message.count == 300)
    let bytes = OAuth.ProviderError(OAuthResponse(status: 400, body: [0x61, 0xFF, 0x62]), expecting: "x")
    #expect(bytes?.message == "a\u{FFFD}b")
  }

  @Test("deeply nested JSON is not treated as an error, and does not crash the parser")
  func depth() {
    #expect(find(String(repeating: "[", count: 60_000), status: 200) == nil)
    #expect(find(String(repeating: #"{"error":"#, count: 10_000), status: 200) == nil)
    #expect(find(#"{"a":[[[[1.5e3,-0,true,false,null]]]],"error":"deep"}"#)?.message == "deep")
  }

  @Test("escapes in JSON error messages are decoded, including surrogate pairs")
  func jsonEscapes() {
    #expect(find(#"{"error":"\u00e9\ud83d\ude00\/\"\\ \ud83d."}"#)?.message == "é😀/\"\\ \u{FFFD}.")
  }

  @Test("truncated response bodies do not crash the parser")
  func prefixes() {
    let bodies = [
      #"{"errors":[{"code":32,"message":"Could \u00e9 \ud83d\ude00"}]}"#,
      "<errors><error code=\"415\">x</error></errors>",
      "oauth_problem=a%20b&oauth_acceptable_timestamps=1-2", "<!doctype html><html>",
    ]
    for body in bodies {
      for length in 0...body.utf8.count {
        let cut = Array(body.utf8.prefix(length))
        let refusal = OAuth.ProviderError(
          OAuthResponse(status: 500, challenges: [String(decoding: cut, as: UTF8.self)], body: cut), expecting: "x")
        #expect(refusal != nil)
      }
    }
  }

  @Test("an error's description includes the message and the error number")
  func description() {
    let refusal = find(#"{"errors":[{"code":89,"message":"Invalid or expired token."}]}"#, status: 401)
    #expect(refusal?.description == "The provider says: “Invalid or expired token.” (code 89).")
  }
}
