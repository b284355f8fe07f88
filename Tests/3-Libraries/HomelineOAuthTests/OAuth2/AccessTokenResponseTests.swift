import Bytes
import HomelineOAuth
import Testing

@Suite("Access token response")
struct AccessTokenResponseTests {
  private func read(_ body: String, status: Int? = 200) throws -> AccessTokenResponse {
    try AccessTokenResponse(OAuthResponse(status: status, body: Array(body.utf8)))
  }

  private func error(_ body: String, status: Int? = 200) -> OAuth2ResponseError? {
    do throws(OAuth2ResponseError) {
      _ = try AccessTokenResponse(OAuthResponse(status: status, body: Array(body.utf8)))
      return nil
    } catch {
      return error
    }
  }

  @Test("all members of a token response are parsed, and unknown scalar values are kept as text")
  func whole() throws {
    let response = try read(
      """
      {"access_token":"A","token_type":"Bearer","expires_in":7200,"refresh_token":"R","scope":"read write",
      "created_at":1700000000,"me":"https://h/u","uid":"12345678901234567890","id":12345678901234567890,"ok":true,
      "none":null,"list":["x"],"deep":{"a":{"b":1}}}
      """)
    #expect(response.accessToken == Secret("A"))
    #expect(response.tokenType == "Bearer")
    #expect(response.expiresIn == 7200)
    #expect(response.refreshToken == Secret("R"))
    #expect(response.scope == "read write")
    #expect(
      response.extra == [
        "created_at": "1700000000", "me": "https://h/u", "uid": "12345678901234567890", "id": "12345678901234567890",
        "ok": "true",
      ])
  }

  @Test(
    "a token response needs only the token, and its type `bearer` is case-insensitive",
    arguments: ["bearer", "BEARER", "Bearer"])
  func minimal(type: String) throws {
    let bare = try read(#"{"access_token":"A"}"#)
    #expect(bare.tokenType == "bearer")
    #expect(bare.expiresIn == nil && bare.refreshToken == nil && bare.scope == nil && bare.extra.isEmpty)
    #expect(try read(#"{"access_token":"A","token_type":"\#(type)","refresh_token":""}"#).tokenType == type)
  }

  @Test("a form-encoded token response is also parsed, and whitespace around it is ignored")
  func form() throws {
    let response = try read("access_token=A%2B1&expires_in=5184000&token_type=bearer&uid=7\n")
    #expect(response.accessToken == Secret("A+1"))
    #expect(response.expiresIn == 5_184_000)
    #expect(response.extra == ["uid": "7"])
    #expect(try read("\u{FEFF}{\"access_token\":\"A\"}").accessToken == Secret("A"))
    #expect(try read("\r\n {\"access_token\":\"A\"} \n").accessToken == Secret("A"))
  }

  @Test(
    "a token is accepted with any status, even beside an error member that reports no error",
    arguments: ["null", "\"\"", "false", "0"])
  func noError(value: String) throws {
    #expect(try read(#"{"error":\#(value),"access_token":"A"}"#, status: nil).accessToken == Secret("A"))
  }

  @Test(
    "a token's lifetime is between zero seconds and ten years; any other value counts as missing",
    arguments: [
      ("3600", 3600), ("\"3600\"", 3600), ("3600.9", 3600), ("\"3.6e3\"", 3600), ("0", 0), ("-5", nil),
      ("\"-5\"", nil), ("99999999999999999999", nil), ("1e400", nil), ("\"315360001\"", nil), ("null", nil),
      ("\"\"", nil), ("\"soon\"", nil), ("\"nan\"", nil), ("\"inf\"", nil), ("\"0x10\"", nil), ("true", nil),
      ("[1]", nil), ("{}", nil),
    ] as [(String, Int64?)])
  func lifetimes(value: String, seconds: Int64?) throws {
    #expect(try read(#"{"access_token":"A","expires_in":\#(value)}"#).expiresIn == seconds)
  }

  @Test(
    "a token's lifetime may be sent as its expiry time",
    arguments: [
      ("1700000000", 1_700_000_000), ("\"1700000000\"", 1_700_000_000), ("1000000000", 1_000_000_000),
      ("999999999", nil), ("253402300800", nil), ("null", nil),
    ] as [(String, Int64?)])
  func times(value: String, time: Int64?) throws {
    let response = try read(#"{"access_token":"A","expires_in":\#(value)}"#)
    #expect(response.expiresAt == time)
    #expect(time == nil || response.expiresIn == nil)
  }

  @Test(
    "a token's expiry is found in all members that servers use, and a member that names its unit wins",
    arguments: [
      (#""expires_in":3600000,"expires_in_sec":3600"#, 3600, nil), (#""expires_at":1795698000"#, nil, 1_795_698_000),
      (#""expires_in":"3599","expires_on":"1795697999","ext_expires_in":"3599""#, 3599, 1_795_697_999),
      (#""expires_on":"1795698000""#, nil, 1_795_698_000), (#""expires_in":1795698000000"#, nil, 1_795_698_000),
      (#""expires_in":3599.7"#, 3599, nil), (#""expires_in":-1"#, nil, nil),
      (#""expires_at":"1795698000123""#, nil, 1_795_698_000),
      (#""expires_in":-1,"expires_at":1795698000"#, nil, 1_795_698_000),
      (#""expires_at":"soon""#, nil, nil), (#""expires_at":"2026-11-26T12:00:00Z""#, nil, 1_795_694_400),
      (#""expires_at":"2026-11-26T13:00:00.123+01:00""#, nil, 1_795_694_400),
      (#""expires_at":"2026-11-26T12:00:00.1234567Z""#, nil, 1_795_694_400),
      (#""expires_on":"Thu, 26 Nov 2026 12:00:00 GMT""#, nil, 1_795_694_400),
      (#""expires_at":"2026-11-26 12:00","expires_on":"1795694400""#, nil, 1_795_694_400),
      (#""expires_at":"0001-01-01T00:00:00Z""#, nil, nil),
      (#""expires_in":3599,"expires_at":"2026-11-26T12:00:00Z""#, 3599, 1_795_694_400),
    ] as [(String, Int64?, Int64?)])
  func members(members: String, lifetime: Int64?, time: Int64?) throws {
    let response = try read(#"{"access_token":"A",\#(members)}"#)
    #expect(response.expiresIn == lifetime && response.expiresAt == time)
    #expect(response.extra.keys.allSatisfy { !$0.hasPrefix("expires_") })
  }

  @Test("a standard error is recognised, regardless of the status", arguments: [200, 400, 401, 403, nil] as [Int?])
  func refused(status: Int?) throws {
    let refusal = OAuth2EndpointError(status: status ?? 0, code: "invalid_grant", description: "spent")
    #expect(error(#"{"error":"invalid_grant","error_description":"spent"}"#, status: status) == .refused(refusal))
    #expect(error("error=invalid_grant&error_description=spent", status: status) == .refused(refusal))
    #expect(
      error(#"{"error":"invalid_grant","error_description":"spent","access_token":"A"}"#, status: status)
        == .refused(refusal))
    #expect(refusal.message == "invalid_grant: spent")
    #expect(OAuth2ResponseError.refused(refusal).status == status ?? 0)
  }

  @Test("Weibo's error number may be a number or a string", arguments: ["21325", "\"21325\""])
  func errorCode(number: String) {
    let body = #"{"error":"invalid_grant","error_code":\#(number),"request":"/oauth2/access_token"}"#
    let refusal = OAuth2EndpointError(status: 400, code: "invalid_grant", errorCode: 21_325)
    #expect(error(body, status: 400) == .refused(refusal))
    #expect(refusal.message == "invalid_grant (21325)")
  }

  @Test("control characters are removed from a token error's code and description")
  func cleaned() {
    let refusal = OAuth2EndpointError(status: 400, code: "a\u{1B}b", description: "x\u{202E}\r\ny")
    #expect(refusal.message == "ab: x y")
  }

  @Test(
    "a response that is neither a token nor an error is described by its status and kind",
    arguments: [
      (503, "<!DOCTYPE html><html><body>down</body></html>", "a web page"), (400, "", "an empty body"),
      (400, " \r\n", "an empty body"), (502, "Bad Gateway", "something else"), (500, "[1]", "something else"),
      (200, "Bad Gateway", "something else"),
      (403, #"{"title":"Forbidden","detail":"Not enrolled.","type":"about:blank"}"#, "the message “Not enrolled.”"),
      (500, #"{"error":{"code":5,"message":"backend"}}"#, "the message “backend”"),
    ] as [(Int, String, String)])
  func unreadable(status: Int, body: String, message: String) throws {
    #expect(error(body, status: status) == .unreadable(status: status, message))
    let received = try #require(error(body, status: status))
    #expect(received.status == status)
    let description = "The server sent \(message) (status \(status)) instead of a token answer"
    #expect(received.description.hasPrefix(description), "\(received)")
  }

  @Test(
    "a response that breaks the standard is described in a sentence with the reason, and not quoted",
    arguments: [
      ("{}", "has no access_token"), (#"{"access_token":""}"#, "has no access_token"),
      (#"{"access_token":7}"#, "has no access_token"),
      (#"{"access_token":"A","access_token":"B"}"#, "contains access_token more than once"),
      ("access_token=A&access_token=B", "contains access_token more than once"),
      (#"{"error":"x","error":"y"}"#, "contains error more than once"),
      (#"{"message":"hidden"}"#, "has no access_token"), (#"{"access_token": hidden}"#, "is not UTF-8 JSON"),
    ] as [(String, String)])
  func unusable(body: String, defect: String) throws {
    let received = try #require(error(body, status: 200))
    #expect(received == .unusable(status: 200, "The server's token answer \(defect) (status 200)"))
    #expect(received.status == 200 && "\(received)" == "The server's token answer \(defect) (status 200).")
  }

  @Test(
    "a token response in UTF-16 is reported as such, and is not quoted",
    arguments: [[0xFF, 0xFE], [0xFE, 0xFF], []] as [[UInt8]])
  func utf16(mark: [UInt8]) throws {
    let text = #"{"access_token": "at-secret-0123456789", "token_type": "Bearer"}"#
    let isLittle = mark.first == 0xFF
    let body =
      mark
      + text.utf16.flatMap { unit -> [UInt8] in
        let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        return isLittle ? bytes.reversed() : bytes
      }
    do throws(OAuth2ResponseError) {
      _ = try AccessTokenResponse(OAuthResponse(status: 200, body: body))
      Issue.record("the answer was read")
    } catch {
      #expect("\(error)" == "The server's token answer is not UTF-8 JSON (status 200).")
    }
  }

  @Test("a truncated token response is reported as malformed JSON")
  func truncated() throws {
    let received = try #require(error(#"{"access_token":"hidden","refresh_tok"#))
    #expect("\(received)".contains("is not UTF-8 JSON"))
    #expect(!"\(received)".contains("hidden"))
  }

  @Test("the error names an unsupported token type", arguments: ["mac", "DPoP", "be\\u0000arer"])
  func otherType(type: String) throws {
    let received = try #require(error(#"{"access_token":"A","token_type":"\#(type)"}"#))
    guard case .unusable(200, let message) = received else {
      Issue.record("\(received)")
      return
    }
    #expect(message.contains(type == "mac" || type == "DPoP" ? "“\(type)”" : "“bearer”"))
  }

  @Test(
    "a token with characters that a header cannot contain is refused",
    arguments: ["a\\r\\nX: y", "a b", "\\u00e9", "\\u0000"])
  func headerInjection(token: String) {
    #expect(
      error(#"{"access_token":"\#(token)"}"#)
        == .unusable(
          status: 200,
          "The server's token answer has an access_token with characters that a header cannot contain (status 200)"))
  }

  @Test(
    "error messages contain no part of a token",
    arguments: [
      "access_token: hidden", "{\"access_token\":\"hidden\"", "[{\"access_token\":\"hidden\"}]",
      "x=1&refreshToken=hidden",
      "{\"error\":{\"message\":\"hidden\",\"access_token\":\"hidden\"}}", "<xml access_token='hidden'/>",
      "{\"access_token\":\"hidden\",\"token_type\":\"mac\"}", "{\"access_token\":\"hid den\"}",
    ])
  func noSecretInErrors(body: String) throws {
    #expect(!"\(try #require(error(body)))".contains("hidden"))
  }

  @Test("printing a token response does not show the token")
  func notPrinted() throws {
    let response = try read(#"{"access_token":"hidden","refresh_token":"hidden","id_token":"hidden","expires_in":9}"#)
    var dumped = ""
    dump(response, to: &dumped)
    #expect(!"\(response)\(dumped)".contains("hidden"))
    #expect("\(response)" == "bearer token, 9 seconds, unknown scope")
  }

  @Test("an overlong token response is not parsed")
  func tooLong() {
    let body = #"{"access_token":"A","x":""# + String(repeating: "a", count: 65_536) + "\"}"
    #expect(error(body)?.description.contains("The server's token answer is too long (65,563 bytes)") == true)
  }
}
