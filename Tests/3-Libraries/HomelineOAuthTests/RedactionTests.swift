import Bytes
import Testing

@testable import HomelineOAuth

@Suite("Secrets in text from a provider") struct RedactionTests {
  private static let secret = "a/b+c=d&e f%~1234567"
  private let redaction = Redaction([Secret(secret)])

  private static func form(_ text: String) -> String {
    FormEncoding.encode([Parameter("x", text)]).dropFirst(2).description
  }

  @Test("a secret is redacted in all its encoded forms")
  func forms() {
    let secret = Self.secret
    let encoded = PercentEncoding.encode(secret)
    let basic = Base64.encode(Array("client:\(secret)".utf8))
    let forms = [
      secret, encoded, encoded.lowercased(), PercentEncoding.encode(encoded), Self.form(secret),
      secret.replacing("/", with: "%2f"), Base64.encode(Array(secret.utf8)), Base64URL.encode(Array(secret.utf8)),
      basic,
      Base64.encode(Array("c:\(secret)".utf8)), Base64.encode(Array("cl:\(secret):".utf8)),
      PercentEncoding.encode(basic), Base64URL.converting(basic),
    ]
    for form in forms {
      let shown = redaction.applied(to: "Invalid token: \(form). Sorry: “é”")
      #expect(shown == "Invalid token: [secret]. Sorry: “é”", "\(form)")
      #expect(redaction.applied(to: form) == "[secret]")
      #expect(redaction.applied(to: "\(form) and \(form)") == "[secret] and [secret]")
    }
  }

  @Test("redaction does not change text without secrets")
  func others() {
    for text in ["", "Invalid token", "a/b+c=d&e f%~123456", String(Self.secret.dropFirst()), "日本語 \u{301}"] {
      #expect(redaction.applied(to: text) == text)
      #expect(Redaction.nothing.applied(to: text) == text)
    }
  }

  @Test("a short secret is redacted only in the response to the request that contained it")
  func short() {
    let pin = Secret("2468135")
    #expect(Redaction([pin]).applied(to: "wrong PIN 2468135") == "wrong PIN 2468135")
    #expect(Redaction([], sent: [pin]).applied(to: "wrong PIN 2468135") == "wrong PIN [secret]")
    // A secret of a single character is redacted only where it is a separate word.
    #expect(Redaction([], sent: [Secret("n")]).applied(to: "no answer to n.") == "no answer to [secret].")
    #expect(Redaction([], sent: [Secret("")]).applied(to: "nothing") == "nothing")
  }

  @Test("overlapping secrets are all redacted")
  func overlap() {
    let both = Redaction([Secret("abcdefgh"), Secret("efghijkl"), Secret("abcdefghijkl9")])
    #expect(both.applied(to: "<abcdefghijkl>") == "<[secret]>")
    #expect(both.union(Redaction([Secret("mnopqrst")])).applied(to: "abcdefgh mnopqrst") == "[secret] [secret]")
  }

  @Test("a secret truncated at the end of a long response is not shown")
  func cut() {
    let secret = String(repeating: "Tk3", count: 400)
    for before in [0, 250, 290, 299, 300, 4_000, 8_890, 20_000] {
      for filler in ["x ", "\u{0}", "é ", "日"] {
        let body = String(repeating: filler, count: before) + secret
        let response = OAuthResponse(status: 401, body: Array(body.utf8), hiding: Redaction([Secret(secret)]))
        let message = OAuth.ProviderError(response, expecting: "x")?.message ?? ""
        #expect(!message.contains("Tk3"), "\(before) \(filler)")
        #expect(message.count <= 301)
      }
    }
  }

  @Test("no property of an error contains a secret")
  func refusals() throws {
    let token = "tok-0123456789"
    func respond(_ body: String, _ challenges: [String] = []) -> OAuthResponse {
      OAuthResponse(status: 401, challenges: challenges, body: Array(body.utf8), hiding: Redaction([Secret(token)]))
    }
    let bodies = [
      "{\"error\":\"\(token)\"}",
      "{\"errors\":[{\"code\":1,\"message\":\"\(token)\",\"type\":\"https://x/\(token)\"}]}",
      "{\"errors\":\"\(token)\"}", "{\"error\":\"x\",\"error_description\":\"\(token)\",\"reason\":\"\(token)\"}",
      "{\"title\":\"\(token)\",\"type\":\"\(token)\",\"status\":401}", "<hash><error>\(token)</error></hash>",
      "oauth_problem=\(token)&oauth_problem_advice=\(token)&oauth_acceptable_timestamps=\(token)", "Error: \(token)",
      "{\"error\":\"x\\u0000\\u202E \(token.replacing("-", with: "\\u002d"))\"}",
    ]
    for body in bodies {
      let refusal = try #require(OAuth.ProviderError(respond(body), expecting: "x"))
      #expect(!"\(refusal) \(refusal.problem ?? "") \(refusal.type ?? "")".contains("0123456789"), "\(body)")
    }
    let challenge = respond("", ["OAuth oauth_problem=\"\(token)\", oauth_problem_advice=\"\(token)\""])
    let refusal = try #require(OAuth.ProviderError(challenge, expecting: "x"))
    #expect(refusal.message == "[secret]" && refusal.problem == "[secret]")

    let oauth2 =
      bodies + ["{\"error\":\"\(token)\",\"error_description\":\"\(token)\"}", token, "\(token)=1&\(token)=2"]
    for body in oauth2 {
      let error = #expect(throws: OAuth2ResponseError.self) { try AccessTokenResponse(respond(body)) }
      #expect(!"\(error!)".contains("0123456789"), "\(body)")
      let form = #expect(throws: OAuthResponseError.self) { try TokenResponse(respond(body)) }
      #expect(!"\(form!)".contains("0123456789"), "\(body)")
      let metadata = #expect(throws: ServerMetadataError.self) {
        try ServerMetadata(respond(body), issuer: "https://x")
      }
      #expect(!"\(metadata!)".contains("0123456789"), "\(body)")
    }
    let type = respond("{\"access_token\":\"new\",\"token_type\":\"\(token)\"}")
    #expect(!"\(#expect(throws: OAuth2ResponseError.self) { try AccessTokenResponse(type) }!)".contains("0123456789"))
    let doubled = respond("\(token)=1&oauth_token=a&oauth_token_secret=b&\(token)=2")
    #expect(!"\(#expect(throws: OAuthResponseError.self) { try TokenResponse(doubled) }!)".contains("0123456789"))
  }

  @Test("a token that GNU social repeats in its message is redacted")
  func gnuSocial() throws {
    let body = Array(
      #"{"error":"Invalid access token: 1234567890abcdef","request":"/api/statuses/home_timeline.json"}"#.utf8)
    let refusal = try #require(
      OAuth.ProviderError(
        OAuthResponse(status: 401, body: body, hiding: Redaction([Secret("1234567890abcdef")])), expecting: "JSON"))
    #expect(refusal.message == "Invalid access token: [secret]")
  }

  @Test("printing a redaction does not show its secrets")
  func printing() {
    var text = "\(redaction)"
    dump(redaction, to: &text)
    #expect(!text.contains("1234567"))
  }
}
