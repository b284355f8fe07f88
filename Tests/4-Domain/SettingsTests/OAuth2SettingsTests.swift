import Bytes
import HomelineOAuth
import Testing

@testable import Settings

/// The settings for an account's OAuth 2.0 requests, and the providers for mail programs.
@Suite struct OAuth2SettingsTests {
  private func read(_ members: String) throws(SettingsError) -> AccountSettings {
    try Configuration(reading: Array(#"{"accounts":{"a":{\#(members)}}}"#.utf8)).accounts[0]
  }

  private func problems(_ members: String) -> [String] {
    do throws(SettingsError) {
      _ = try read(members)
      return []
    } catch {
      return error.problems.map { "\($0.path.trimmingPrefix("accounts.a.")): \($0.what)" }
    }
  }

  private static let oauth2 = #""provider":"oauth2","issuer":"https://as.example","client_id":"c""#

  @Test(
    "an account with a mail provider needs only a client",
    arguments: [
      #""provider":"google","client_id":"c","client_secret":"s""#, #""provider":"microsoft","client_id":"c""#,
      #""provider":"fastmail","client_id":"c""#,
      #""provider":"microsoft","client_id":"c","issuer":"https://login.microsoftonline.com/common/v2.0""#,
    ])
  func leastKeys(members: String) throws {
    let account = try read(members)
    #expect(!account.hasTimeline() && account.scopes == nil && account.whyNoBearerToken == nil)
    #expect(account.oauth2 == OAuth2Settings())
  }

  @Test("missing and incomplete settings for a mail provider are reported")
  func missing() {
    #expect(
      problems(#""provider":"google","client_id":"c""#)
        == ["client_secret: missing: the provider google needs it"])
    // A server's addresses are not completed with those of a different server.
    #expect(
      problems(#""provider":"fastmail","client_id":"c","endpoints":{"token":"https://a.example/t"}"#) == [
        "issuer: missing: set issuer, or endpoints with token and at least one of authorize and device_authorization"
      ])
    #expect(
      problems(#""provider":"fastmail","client_id":"c","keep_posts":9"#)
        == ["keep_posts: the provider fastmail has no timeline: remove this setting"])
  }

  @Test("parameters of the authorisation request are read as written")
  func parameters() throws {
    let account = try read(
      Self.oauth2 + #","authorize_parameters":{"login_hint":"müra@example.org","prompt":""}"#)
    #expect(account.oauth2.authorizeParameters == ["login_hint": "müra@example.org", "prompt": ""])
  }

  @Test(
    "a parameter that the protocol defines cannot be set",
    arguments: [
      "response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge", "code_challenge_method",
      "nonce", "response_mode", "request", "request_uri", "client_secret",
    ])
  func reserved(name: String) {
    #expect(
      problems(Self.oauth2 + #","authorize_parameters":{"\#(name)":"x"}"#)
        == ["authorize_parameters.\(name): is set by homeline and cannot be replaced"])
  }

  @Test(
    "an invalid parameter is refused",
    arguments: [
      (#"[]"#, "authorize_parameters: expected an object, found an array"),
      (#"{"prompt":1}"#, "authorize_parameters.prompt: expected a string, found a number"),
      (#"{"":"x"}"#, "authorize_parameters.: a parameter's name consists of 1 to 64 visible ASCII characters"),
      (#"{"a b":"x"}"#, "authorize_parameters.a b: a parameter's name consists of 1 to 64 visible ASCII characters"),
      (#"{"prompt":"a\nb"}"#, "authorize_parameters.prompt: must not contain control characters"),
    ])
  func badParameters(value: String, problem: String) {
    #expect(problems(Self.oauth2 + #","authorize_parameters":\#(value)"#) == [problem])
  }

  @Test("overlong parameter values and too many parameters are refused")
  func tooMuch() {
    let long = String(repeating: "x", count: 1025)
    #expect(
      problems(Self.oauth2 + #","authorize_parameters":{"hint":"\#(long)"}"#)
        == ["authorize_parameters.hint: is longer than 1024 bytes"])
    let many = (1...33).map { #""p\#($0)":"""# }.joined(separator: ",")
    #expect(
      problems(Self.oauth2 + #","authorize_parameters":{\#(many)}"#)
        == ["authorize_parameters: has more than 32 parameters"])
  }

  @Test(
    "the client authentication method must match whether the client has a secret",
    arguments: [
      ("basic", true, ClientAuthentication.basic, nil), ("post", true, .body, nil),
      ("none", false, ClientAuthentication.none, nil),
      ("none", true, nil, "no secret is sent with it: remove client_secret"),
      ("basic", false, nil, "needs client_secret"),
      ("post", false, nil, "needs client_secret"), ("body", true, nil, "expected basic, post or none, found \"body\""),
    ] as [(String, Bool, ClientAuthentication?, String?)])
  func authentication(name: String, hasSecret: Bool, method: ClientAuthentication?, problem: String?) throws {
    let members = Self.oauth2 + (hasSecret ? #","client_secret":"s""# : "") + #","client_authentication":"\#(name)""#
    if let problem {
      #expect(problems(members) == ["client_authentication: \(problem)"])
    } else {
      #expect(try read(members).oauth2.clientAuthentication == method)
    }
  }

  @Test("providers that do not support these settings refuse them")
  func others() {
    #expect(
      problems(
        #""provider":"mastodon","server":"social.example","client_authentication":"basic","authorize_parameters":{}"#)
        == [
          "client_authentication: the provider mastodon does not support it: remove this setting",
          "authorize_parameters: the provider mastodon does not support it: remove this setting",
        ])
  }
}
