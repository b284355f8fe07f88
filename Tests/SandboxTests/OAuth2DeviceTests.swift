import CivilTime
import HTTP
import HomelineOAuth
import Sandbox
import Testing

@Suite("The sandbox's device grant")
struct OAuth2DeviceTests {
  private struct Device {
    var walk = OAuth2Walk(paths: OAuth2Paths(deviceAuthorization: "/oauth/authorize_device"))

    mutating func begin(scope: String = "read") throws -> [String: String] {
      let response = try walk.server.authorizeDevice(
        OAuth2Walk.request(
          .post, "/oauth/authorize_device", form: [Parameter("client_id", "open"), Parameter("scope", scope)]),
        base: "http://127.0.0.1:4000", at: walk.now)
      return try V2OnTheWire(response.body).texts
    }

    mutating func poll(_ code: String, client: String = "open") throws(OAuth2Failure) -> IssuedTokens {
      try walk.ask(["grant_type": OAuth2Server.deviceGrantType, "device_code": code, "client_id": client])
    }

    mutating func open(_ query: String) -> String {
      walk.server.verificationPage(OAuth2Walk.request(.get, "/oauth/device\(query)"), at: walk.now).text
    }

    mutating func say(_ action: String, _ userCode: String, _ headers: HeaderFields = [:]) -> Response {
      walk.server.verificationPage(
        OAuth2Walk.request(
          .post, "/oauth/device", form: [Parameter("user_code", userCode), Parameter("action", action)], headers),
        at: walk.now)
    }
  }

  @Test("the device waits, the user agrees on another one, and the next question brings the token, once")
  func whole() throws {
    var device = Device()
    let begun = try device.begin()
    let code = try #require(begun["device_code"])
    let userCode = try #require(begun["user_code"])
    #expect(begun["verification_uri_complete"] == "http://127.0.0.1:4000/oauth/device?user_code=\(userCode)")
    #expect(begun["expires_in"] == "600" && begun["interval"] == "5")
    #expect(throws: OAuth2Failure.devicePending) { try device.poll(code) }
    #expect(device.open("").contains("id=\"user_code\""))
    #expect(device.open("?user_code=\(userCode.lowercased().replacing("-", with: ""))").contains("id=\"allow\""))
    #expect(device.say("allow", userCode, ["Origin": "http://example.org"]).status == .badRequest)
    #expect(device.say("allow", userCode).text.contains("Authorised"))
    let issued = try device.poll(code)
    #expect(device.walk.works(issued.access) && issued.scope == "read")
    #expect(throws: OAuth2Failure.codeUsed) { try device.poll(code) }
    #expect(!device.open("?user_code=\(userCode)").contains("id=\"allow\""))
  }

  @Test("who asks too soon must wait five seconds longer, each time")
  func tooFast() throws {
    var device = Device()
    let code = try #require(try device.begin()["device_code"])
    #expect(throws: OAuth2Failure.devicePending) { try device.poll(code) }
    device.walk.now = device.walk.now + .milliseconds(4_999)
    #expect(throws: OAuth2Failure.deviceTooFast) { try device.poll(code) }
    device.walk.now = device.walk.now + .milliseconds(9_999)
    #expect(throws: OAuth2Failure.deviceTooFast) { try device.poll(code) }
    device.walk.now = device.walk.now + .seconds(15)
    #expect(throws: OAuth2Failure.devicePending) { try device.poll(code) }
  }

  @Test("a refusal, the end of the time, another client and unknown letters are told")
  func refused() throws {
    var device = Device()
    let denied = try device.begin()
    #expect(device.say("deny", denied["user_code"]!).text.contains("Cancelled"))
    #expect(throws: OAuth2Failure.deviceDenied) { try device.poll(denied["device_code"]!) }
    let late = try device.begin()
    #expect(throws: OAuth2Failure.codeUnknown) { try device.poll(late["device_code"]!, client: "other") }
    device.walk.now = device.walk.now + .seconds(600)
    #expect(throws: OAuth2Failure.deviceCodeExpired) { try device.poll(late["device_code"]!) }
    #expect(device.open("?user_code=\(late["user_code"]!)").contains("not known, or too old"))
    #expect(throws: OAuth2Failure.scopeNotAllowed) { try device.begin(scope: "fly") }
  }
}
