import HTTP
import HomelineOAuth
import Testing
import Time

@testable import Sandbox

@Suite("The sandbox's device grant")
struct OAuth2DeviceTests {
  private struct Device {
    var app = OAuth2TestClient(paths: OAuth2Paths(deviceAuthorization: "/oauth/authorize_device"))

    mutating func begin(scope: String = "read") throws -> [String: String] {
      let response = try app.server.authorizeDevice(
        OAuth2TestClient.request(
          .post, "/oauth/authorize_device", form: [Parameter("client_id", "open"), Parameter("scope", scope)]),
        base: "http://127.0.0.1:4000", at: app.now)
      return try ReceivedV2Page(response.body).texts
    }

    mutating func poll(_ code: String, client: String = "open") throws(OAuth2Error) -> IssuedTokens {
      try app.requestToken(["grant_type": OAuth2Server.deviceGrantType, "device_code": code, "client_id": client])
    }

    mutating func open(_ query: String) -> String {
      app.server.verificationPage(OAuth2TestClient.request(.get, "/oauth/device\(query)"), at: app.now).text
    }

    mutating func say(_ action: String, _ userCode: String, _ headers: HeaderFields = [:]) -> Response {
      app.server.verificationPage(
        OAuth2TestClient.request(
          .post, "/oauth/device", form: [Parameter("user_code", userCode), Parameter("action", action)], headers),
        at: app.now)
    }
  }

  @Test("After the user approves, the next poll returns the token, and later polls do not")
  func whole() throws {
    var device = Device()
    let begun = try device.begin()
    let code = try #require(begun["device_code"])
    let userCode = try #require(begun["user_code"])
    #expect(begun["verification_uri_complete"] == "http://127.0.0.1:4000/oauth/device?user_code=\(userCode)")
    #expect(begun["expires_in"] == "600" && begun["interval"] == "5")
    #expect(throws: OAuth2Error.devicePending) { try device.poll(code) }
    #expect(device.open("").contains("id=\"user_code\""))
    #expect(device.open("?user_code=\(userCode.lowercased().replacing("-", with: ""))").contains("id=\"allow\""))
    #expect(device.say("allow", userCode, ["Origin": "http://example.org"]).status == .badRequest)
    #expect(device.say("allow", userCode).text.contains("Authorised"))
    let issued = try device.poll(code)
    #expect(device.app.works(issued.access) && issued.scope == "read")
    #expect(throws: OAuth2Error.codeUsed) { try device.poll(code) }
    #expect(!device.open("?user_code=\(userCode)").contains("id=\"allow\""))
  }

  @Test("Each poll that comes too early lengthens the polling interval by five seconds")
  func tooFast() throws {
    var device = Device()
    let code = try #require(try device.begin()["device_code"])
    #expect(throws: OAuth2Error.devicePending) { try device.poll(code) }
    device.app.now = device.app.now + .milliseconds(4_999)
    #expect(throws: OAuth2Error.deviceTooFast) { try device.poll(code) }
    device.app.now = device.app.now + .milliseconds(9_999)
    #expect(throws: OAuth2Error.deviceTooFast) { try device.poll(code) }
    device.app.now = device.app.now + .seconds(15)
    #expect(throws: OAuth2Error.devicePending) { try device.poll(code) }
  }

  @Test("A denial, an expired code, another client and an unknown user code produce different errors")
  func refused() throws {
    var device = Device()
    let denied = try device.begin()
    #expect(device.say("deny", denied["user_code"]!).text.contains("Cancelled"))
    #expect(throws: OAuth2Error.deviceDenied) { try device.poll(denied["device_code"]!) }
    let late = try device.begin()
    #expect(throws: OAuth2Error.codeUnknown) { try device.poll(late["device_code"]!, client: "other") }
    device.app.now = device.app.now + .seconds(600)
    #expect(throws: OAuth2Error.deviceCodeExpired) { try device.poll(late["device_code"]!) }
    #expect(device.open("?user_code=\(late["user_code"]!)").contains("unknown or have expired"))
    #expect(throws: OAuth2Error.scopeNotAllowed) { try device.begin(scope: "fly") }
  }
}
