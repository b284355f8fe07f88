import Bytes
import HomelineOAuth
import Testing

@Suite("Device authorisation")
struct DeviceAuthorizationTests {
  private static func read(_ members: String, status: Int = 200) throws -> DeviceAuthorizationResponse {
    try DeviceAuthorizationResponse(OAuthResponse(status: status, body: Array("{\(members)}".utf8)))
  }

  private static let least =
    #""device_code":"D","user_code":"WDJB-MJHT","verification_uri":"https://as.example/d","expires_in":600"#

  private func polling(_ further: String = "") throws -> DevicePolling {
    DevicePolling(try Self.read(Self.least + further))
  }

  private func refusal(_ code: String, status: Int = 400) -> Result<AccessTokenResponse, OAuth2ResponseError> {
    .failure(.refused(OAuth2EndpointError(status: status, code: code)))
  }

  @Test("a device authorisation response is parsed, with a default interval of 5 seconds")
  func whole() throws {
    let response = try Self.read(Self.least)
    #expect(response.deviceCode == Secret("D"))
    #expect(response.userCode == "WDJB-MJHT")
    #expect(response.verificationURI == "https://as.example/d")
    #expect(response.verificationURIComplete == nil)
    #expect(response.expiresIn == 600)
    #expect(response.interval == 5)
    let other = try Self.read(
      Self.least + #","interval":"10","verification_uri_complete":"https://as.example/d?user_code=WDJB-MJHT""#)
    #expect(other.interval == 10)
    #expect(other.verificationURIComplete == "https://as.example/d?user_code=WDJB-MJHT")
    #expect(try Self.read(Self.least + #","interval":0"#).interval == 1)
  }

  @Test(
    "a device authorisation response is refused if its values are unsafe for a terminal or a browser",
    arguments: [
      #""user_code":"A\u001b[2J""#, #""user_code":"A\nB""#, #""user_code":"""#,
      #""verification_uri":"javascript:alert(1)""#, #""verification_uri":"file:///etc/passwd""#,
      #""verification_uri":"https://as.example/\u001b""#, #""verification_uri":"https://as.example/a b""#,
      #""verification_uri_complete":"ftp://as.example/""#, #""device_code":7"#,
    ])
  func refused(member: String) {
    let name = String(member.dropFirst().prefix { $0 != "\"" })
    let others = Self.least.split(separator: ",").filter { !$0.hasPrefix("\"\(name)\"") }.joined(separator: ",")
    #expect(throws: OAuth2ResponseError.self) { try Self.read(others + "," + member) }
    #expect(throws: Never.self) { try Self.read(Self.least) }
  }

  @Test(
    "older member names and numbers as strings are accepted, and codes without a lifetime are valid for 15 minutes")
  func otherForms() throws {
    let older = try Self.read(
      #""device_code":"D","user_code":"HJKM2345","verification_url":"https://id.example/d","expires_in":"1800","interval":"7""#
    )
    #expect(older.verificationURI == "https://id.example/d" && older.expiresIn == 1800 && older.interval == 7)
    let unlimited = try Self.read(#""device_code":"D","user_code":"W","verification_uri":"https://id.example/d""#)
    #expect(unlimited.expiresIn == 900)
  }

  @Test(
    "a refusal under another name ends the polling like the standard one",
    arguments: [
      ("authorization_declined", "access_denied"), ("code_expired", "expired_token"),
    ])
  func aliases(sent: String, standard: String) throws {
    let body = Array(#"{"error":"\#(sent)","error_description":"no"}"#.utf8)
    var polling = try polling()
    do throws(OAuth2ResponseError) {
      _ = try AccessTokenResponse(OAuthResponse(status: 400, body: body))
      Issue.record("the refusal was not recognised")
    } catch {
      guard case .ended(let refusal) = polling.next(after: .failure(error)) else {
        Issue.record("\(error)")
        return
      }
      #expect(refusal.code == standard && refusal.message == "\(standard): no")
    }
  }

  @Test(
    "each reason to refuse a code for a device has its own sentence",
    arguments: [
      (String(repeating: "A", count: 5_000), "The server's code for the device is too long (5,000 characters)"),
      ("A\\u001b[2J", "The server's code for the device contains control characters"),
    ])
  func badCode(code: String, sentence: String) {
    let members = Self.least.replacing("WDJB-MJHT", with: code)
    #expect(throws: OAuth2ResponseError.unusable(status: 200, sentence)) { try Self.read(members) }
  }

  @Test("the server's error in response to a device authorisation request is reported")
  func refusal() {
    #expect(throws: OAuth2ResponseError.refused(OAuth2EndpointError(status: 401, code: "invalid_client"))) {
      try Self.read(#""error":"invalid_client""#, status: 401)
    }
  }

  @Test("polling continues at the server's interval until the user has decided")
  func pending() throws {
    var polling = try polling(#","interval":7"#)
    #expect(polling.interval == 7)
    #expect(polling.expiresIn == 600)
    for _ in 0..<3 { #expect(polling.next(after: refusal("authorization_pending")) == .wait(seconds: 7)) }
  }

  @Test("each slow_down error permanently adds 5 seconds to the polling interval")
  func slowDown() throws {
    var polling = try polling()
    #expect(polling.next(after: refusal("slow_down")) == .wait(seconds: 10))
    #expect(polling.next(after: refusal("authorization_pending")) == .wait(seconds: 10))
    #expect(polling.next(after: refusal("slow_down")) == .wait(seconds: 15))
    #expect(polling.next(after: nil) == .wait(seconds: 30))
    #expect(polling.next(after: refusal("authorization_pending")) == .wait(seconds: 15))
  }

  @Test("the pause between polls doubles up to a minute while there is no response, and a response resets it")
  func noAnswer() throws {
    var polling = try polling()
    for seconds: Int64 in [10, 20, 40, 60, 60, 60, 60, 60] {
      #expect(polling.next(after: nil) == .wait(seconds: seconds))
    }
    #expect(polling.next(after: refusal("authorization_pending")) == .wait(seconds: 5))
    #expect(polling.next(after: .failure(.unreadable(status: 503, "a web page"))) == .wait(seconds: 10))
    #expect(polling.next(after: refusal("temporarily_unavailable")) == .wait(seconds: 20))
    #expect(polling.next(after: refusal("invalid_request", status: 503)) == .wait(seconds: 40))
  }

  @Test("long polling intervals can be extended, and large numbers do not overflow")
  func longInterval() throws {
    var slow = try polling(#","interval":100"#)
    #expect(slow.next(after: nil) == .wait(seconds: 200))
    #expect(slow.next(after: nil) == .wait(seconds: 200))
    var huge = try polling(#","interval":315360000"#)
    for _ in 0..<70 { _ = huge.next(after: nil) }
    #expect(huge.next(after: nil) == .wait(seconds: 2 * 315_360_000))
    #expect(try polling(#","interval":99999999999999999999"#).interval == 5)
  }

  @Test(
    "polling stops once the user denies access, the code expires or the client is refused",
    arguments: ["access_denied", "expired_token", "invalid_client"])
  func ended(code: String) throws {
    var polling = try polling()
    #expect(polling.next(after: refusal(code)) == .ended(OAuth2EndpointError(status: 400, code: code)))
  }

  @Test("polling stops when a token arrives")
  func authorised() throws {
    var polling = try polling()
    let response = try AccessTokenResponse(OAuthResponse(status: 200, body: Array(#"{"access_token":"A"}"#.utf8)))
    #expect(polling.next(after: .success(response)) == .authorised(response))
  }
}
