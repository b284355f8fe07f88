import HomelineOAuth
import Providers
import Testing

@Suite("Advice on refusals") struct RefusalAdviceTests {
  private func find(_ body: String, status: Int? = nil, challenges: [String] = []) -> OAuth.ProviderError? {
    OAuth.ProviderError(
      OAuthResponse(status: status, challenges: challenges, body: Array(body.utf8)), expecting: "a token response")
  }

  @Test(
    "known error numbers lead to advice",
    arguments: [
      (32, RefusalKind.configuration), (64, .locked), (88, .limit), (89, .needsLogin), (99, .configuration),
      (135, .clock),
      (187, .refused), (215, .configuration), (220, .refused), (326, .locked), (415, .configuration), (453, .closed),
      (131, .transient),
    ])
  func codes(code: Int, kind: RefusalKind) {
    #expect(find(#"{"errors":[{"code":\#(code),"message":"x"}]}"#)?.advice.kind == kind)
  }

  @Test(
    "known codes of the OAuth problem extension lead to advice, whether in the body or in the challenge",
    arguments: [
      ("token_rejected", RefusalKind.needsLogin), ("token_revoked", .needsLogin),
      ("consumer_key_unknown", .configuration),
      ("signature_invalid", .configuration), ("nonce_used", .nonce), ("timestamp_refused", .clock),
      ("verifier_invalid", .needsLogin), ("user_refused", .refused), ("permission_denied", .refused),
    ])
  func problems(problem: String, kind: RefusalKind) {
    let all = [
      find("oauth_problem=\(problem)"),
      find("", status: 401, challenges: ["Basic realm=\"x\"", "OAuth oauth_problem=\(problem)"]),
      find("<html></html>", status: 401, challenges: ["OAuth realm=\"a, b\", oauth_problem=\"\(problem)\""]),
    ]
    for refusal in all {
      #expect(refusal?.advice.kind == kind)
    }
  }

  @Test(
    "messages without an error number are recognised if they are unambiguous",
    arguments: [
      ("Timestamp out of bounds.", RefusalKind.clock), ("Invalid / expired Token", .needsLogin),
      ("Error: Invalid signature", .configuration), ("Nonce already used", .nonce),
      ("Desktop applications only support the oauth_callback value 'oob'", .configuration),
      ("Invalid or expired token.", .needsLogin), ("Rate limit exceeded", .limit), ("Grumble", .refused),
    ])
  func phrases(text: String, kind: RefusalKind) {
    #expect(find(text)?.advice.kind == kind)
  }

  @Test(
    "a used nonce is recognised in every format, even under a number that means something else",
    arguments: [
      #"{"errors":[{"code":32,"message":"Could not authenticate you: nonce already used"}]}"#,
      #"{"error":{"code":"mwoauth-invalid-authorization","info":"The authorization headers in your request are not valid: "#
        + #"Nonce already used: 1f"}}"#,
      #"{"errors":"Invalid nonce/timestamp combination"}"#, "Error: Nonce already used: 1f",
      "oauth_problem=nonce_used&oauth_problem_advice=Try+again",
      "error=invalid_nonce&error_description=The+nonce+was+used",
      "<hash><error>Used nonce</error></hash>",
    ])
  func usedNonce(body: String) {
    #expect(find(body, status: 401)?.advice.kind == .nonce)
  }

  @Test(
    "Keys and endpoints are mentioned only in refusals about them, and endpoints only to users who set them")
  func unknown() throws {
    let unknown = try #require(find(#"{"error":"Grumble"}"#))
    #expect(unknown.explanation == "The provider says: “Grumble”.")
    let missing = try #require(find(#"{"errors":[{"code":34,"message":"Not found"}]}"#, status: 404))
    #expect(
      missing.explanation.hasSuffix("nothing at this address; if you have set the account's endpoints, check them."))
  }

  @Test("MediaWiki's refusal of a callback address names the login with a PIN")
  func mediaWikiCallback() throws {
    let refusal = try #require(
      find(
        "Error: oauth_callback must be set, and must be set to \"oob\" (case-sensitive), or the configured callback must be a "
          + "prefix of the supplied callback."
      ))
    #expect(refusal.advice.kind == .configuration && refusal.advice.isAboutCallback)
    #expect(refusal.explanation.contains("--pin"), "\(refusal.explanation)")
  }

  @Test(
    "without a message, only a temporary status means anything, because anyone can send it",
    arguments: [
      (401, RefusalKind.transient), (402, .paused), (403, .transient), (404, .transient), (410, .transient),
      (420, .limit), (429, .limit), (500, .transient), (503, .transient), (400, .transient),
    ])
  func statuses(status: Int, kind: RefusalKind) {
    #expect(find("", status: status)?.advice.kind == kind)
    #expect(find(#"{"ok":false}"#, status: status)?.advice.kind == kind)
  }

  @Test(
    "the reason or type of a problem document determines the advice, regardless of the status",
    arguments: [
      (
        402,
        #"{"account_id":18446744073709551615,"title":"CreditsDepleted","detail":"No credits for this request.","#
          + #""type":"https://api.twitter.com/2/problems/credits"}"#, RefusalKind.paused, "credits"
      ),
      (
        402,
        #"{"title":"Payment Required","detail":"credits depleted","status":402,"#
          + #""type":"https://api.x.com/2/problems/credits-depleted"}"#, .paused, "credits-depleted"
      ),
      (
        429,
        #"{"title":"UsageCapExceeded","detail":"Usage cap exceeded: Monthly product cap","#
          + #""type":"https://api.twitter.com/2/problems/usage-capped"}"#, .paused, "usage-capped"
      ),
      (
        403,
        #"{"title":"Client Forbidden","detail":"Use a project.","reason":"client-not-enrolled","#
          + #""type":"https://api.twitter.com/2/problems/client-forbidden"}"#, .closed, "client-not-enrolled"
      ),
      (
        400,
        #"{"errors":[{"message":"Bad."}],"title":"Invalid Request","#
          + #""type":"https://api.x.com/2/problems/invalid-request"}"#, .refused, "invalid-request"
      ),
      (
        200, #"{"errors":[{"title":"Gone","detail":"d","type":"https://x/resource-not-found"}]}"#, .closed,
        "resource-not-found"
      ),
    ] as [(Int, String, RefusalKind, String)])
  func problemTypes(status: Int, body: String, kind: RefusalKind, type: String) {
    let refusal = find(body, status: status)
    #expect(refusal?.advice.kind == kind)
  }

  @Test("a demand for payment is recognised, regardless of its message")
  func money() {
    #expect(
      find("The consumer's callback and signature are fine, but the bill is not", status: 402)?.advice.kind == .paused)
  }

  @Test(
    "a web page leads to advice about the network, regardless of its status")
  func pages() {
    #expect(find("<html></html>", status: 200)?.advice.kind == .transient)
    #expect(find("<html></html>", status: 200)?.explanation.contains("Wi-Fi") == true)
    #expect(find("<html></html>", status: 403)?.advice.kind == .transient)
  }

  @Test(
    "a redirect leads to advice about a Wi-Fi login page, regardless of its body",
    arguments: [301, 302, 303, 307, 308])
  func redirects(status: Int) {
    for body in ["", "Found. Redirecting to http://portal.example/", "<html></html>", #"{"error":"moved"}"#] {
      #expect(find(body, status: status)?.advice.kind == .transient)
      #expect(find(body, status: status)?.explanation.contains("Wi-Fi") == true)
    }
  }

  @Test("GNU social's message about a revoked token results in advice to log in again")
  func gnuSocial() {
    let refusal = find(#"{"error":"Invalid access token: 1234567890abcdef","request":"/api/x.json"}"#, status: 401)
    #expect(refusal?.advice.kind == .needsLogin)
  }

  @Test("the explanation of an error response contains the message, the error number and the advice")
  func explanation() {
    let refusal = find(#"{"errors":[{"code":89,"message":"Invalid or expired token."}]}"#, status: 401)
    #expect(refusal?.explanation == "The provider says: “Invalid or expired token.” (code 89). Log in again.")
  }
}
