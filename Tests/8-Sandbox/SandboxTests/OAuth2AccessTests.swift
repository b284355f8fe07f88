import HTTP
import HomelineOAuth
import SandboxSupport
import Testing
import Time

@testable import Sandbox

@Suite("The sandbox's access tokens (OAuth 2.0)")
struct OAuth2AccessTests {
  @Test("An access token is accepted only where the policy allows it, and only once per request")
  func places() throws {
    var app = OAuth2TestClient()
    let token = try app.login().access
    let requests: [OAuth2Policy.TokenLocation: HTTP.Request] = [
      .bearer: OAuth2TestClient.request(.get, "/api", ["Authorization": FieldValue("bearer \(token)")!]),
      .oauth2: OAuth2TestClient.request(.get, "/api", ["Authorization": FieldValue("OAuth2 \(token)")!]),
      .query: OAuth2TestClient.request(.get, "/api?access_token=\(token)"),
      .form: OAuth2TestClient.request(.post, "/api", form: [Parameter("access_token", token)]),
    ]
    for allowed in OAuth2Policy.TokenLocation.allCases {
      app.server.policy.tokenLocations = [allowed]
      for (place, request) in requests {
        if place == allowed {
          #expect(try app.server.admit(request, at: app.now).token == token)
        } else {
          #expect(throws: AccessTokenError.missing) { try app.server.admit(request, at: app.now) }
        }
      }
    }
    app.server.policy.tokenLocations = Set(OAuth2Policy.TokenLocation.allCases)
    for request in [
      OAuth2TestClient.request(.get, "/api?access_token=\(token)", ["Authorization": FieldValue("Bearer \(token)")!]),
      OAuth2TestClient.request(.get, "/api?access_token=\(token)&access_token=\(token)"),
    ] {
      #expect(throws: AccessTokenError.ambiguous) { try app.server.admit(request, at: app.now) }
    }
  }

  @Test("Missing, unknown, expired and revoked access tokens produce different errors")
  func faults() throws {
    var app = OAuth2TestClient { $0.accessLife = .seconds(600) }
    let first = try app.login().access
    let second = try app.login().access
    #expect(throws: AccessTokenError.missing) {
      try app.server.admit(OAuth2TestClient.request(.get, "/api"), at: app.now)
    }
    #expect(throws: AccessTokenError.unknown) { try app.admit(bearing: "made-up") }
    app.server.revoke(try app.admit(bearing: first))
    #expect(throws: AccessTokenError.revoked) { try app.admit(bearing: first) }
    app.now = app.now + .seconds(600)
    #expect(throws: AccessTokenError.expired) { try app.admit(bearing: second) }
    #expect(app.server.grant(of: second)?.issuedAt == OAuth2TestClient.start)
    #expect(
      AccessTokenError.allCases.map(\.response.status.code) == [401, 400, 401, 401, 401])
  }

  private func revoke(_ app: inout OAuth2TestClient, _ token: String, by client: String = "open") throws(OAuth2Error) {
    try app.server.revoke(
      OAuth2TestClient.request(
        .post, "/oauth/revoke", form: [Parameter("token", token), Parameter("client_id", client)]), at: app.now)
  }

  @Test("A client can revoke its own tokens and unknown tokens, but not those of other clients")
  func revocation() throws {
    var app = OAuth2TestClient { $0.refreshTokens = .always }
    var issued = try app.login()
    try revoke(&app, "made-up")
    #expect(throws: OAuth2Error.notOwnToken) { try revoke(&app, issued.access, by: "other") }
    #expect(throws: OAuth2Error.notOwnToken) { try revoke(&app, issued.refresh!, by: "other") }
    #expect(throws: OAuth2Error.unknownClient) { try revoke(&app, issued.access, by: "nobody") }
    #expect(app.works(issued.access))
    try revoke(&app, issued.access)
    #expect(!app.works(issued.access))
    issued = try app.refresh(issued.refresh!)
    try revoke(&app, issued.refresh!)
    #expect(!app.works(issued.access))
    #expect(throws: OAuth2Error.refreshTokenUnknown) { try app.refresh(issued.refresh!) }
    app.server.policy.accessRevocationRevokesFamily = true
    issued = try app.login()
    try revoke(&app, issued.access)
    #expect(throws: OAuth2Error.refreshTokenUnknown) { try app.refresh(issued.refresh!) }
  }

  @Test("The user can revoke all tokens of one application, or of all applications")
  func takenBack() throws {
    var app = OAuth2TestClient()
    let mine = try app.login().access
    app.clientID = "other"
    let others = try app.login().access
    app.server.tokens.revokeAll(of: "open")
    #expect(!app.works(mine) && app.works(others))
    app.server.tokens.revokeAll(of: nil)
    #expect(!app.works(others))
    let again = try app.login().access
    #expect(app.works(again))
  }

  @Test("The sandbox remembers the newest thousand logins and forgets older ones")
  func bounded() throws {
    var app = OAuth2TestClient()
    var all: [String] = []
    for _ in 0..<1_005 { all.append(try app.login().access) }
    #expect(all.map(app.works) == Array(repeating: false, count: 5) + Array(repeating: true, count: 1_000))
  }
}
