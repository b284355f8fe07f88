import CivilTime
import HTTP
import HomelineOAuth
import Sandbox
import Testing

@Suite("The sandbox's access tokens of OAuth 2.0")
struct OAuth2AccessTests {
  @Test("a token stands where the policy lets it, in one place at a time")
  func places() throws {
    var walk = OAuth2Walk()
    let token = try walk.login().access
    let requests: [OAuth2Policy.TokenPlace: HTTP.Request] = [
      .bearer: OAuth2Walk.request(.get, "/api", ["Authorization": FieldValue("bearer \(token)")!]),
      .oauth2: OAuth2Walk.request(.get, "/api", ["Authorization": FieldValue("OAuth2 \(token)")!]),
      .query: OAuth2Walk.request(.get, "/api?access_token=\(token)"),
      .form: OAuth2Walk.request(.post, "/api", form: [Parameter("access_token", token)]),
    ]
    for allowed in OAuth2Policy.TokenPlace.allCases {
      walk.server.policy.tokenPlaces = [allowed]
      for (place, request) in requests {
        if place == allowed {
          #expect(try walk.server.admit(request, at: walk.now).token == token)
        } else {
          #expect(throws: TokenFault.missing) { try walk.server.admit(request, at: walk.now) }
        }
      }
    }
    walk.server.policy.tokenPlaces = Set(OAuth2Policy.TokenPlace.allCases)
    for request in [
      OAuth2Walk.request(.get, "/api?access_token=\(token)", ["Authorization": FieldValue("Bearer \(token)")!]),
      OAuth2Walk.request(.get, "/api?access_token=\(token)&access_token=\(token)"),
    ] {
      #expect(throws: TokenFault.ambiguous) { try walk.server.admit(request, at: walk.now) }
    }
  }

  @Test("no token, a made-up one, an ended one and a revoked one are told apart")
  func faults() throws {
    var walk = OAuth2Walk { $0.accessLife = .seconds(600) }
    let first = try walk.login().access
    let second = try walk.login().access
    #expect(throws: TokenFault.missing) { try walk.server.admit(OAuth2Walk.request(.get, "/api"), at: walk.now) }
    #expect(throws: TokenFault.unknown) { try walk.admit(bearing: "made-up") }
    walk.server.revoke(try walk.admit(bearing: first))
    #expect(throws: TokenFault.revoked) { try walk.admit(bearing: first) }
    walk.now = walk.now + .seconds(600)
    #expect(throws: TokenFault.expired) { try walk.admit(bearing: second) }
    #expect(walk.server.grant(of: second)?.issuedAt == OAuth2Walk.start)
    #expect(
      TokenFault.allCases.map(\.response.status.code) == [401, 400, 401, 401, 401])
  }

  private func revoke(_ walk: inout OAuth2Walk, _ token: String, by client: String = "open") throws(OAuth2Failure) {
    try walk.server.revoke(
      OAuth2Walk.request(
        .post, "/oauth/revoke", form: [Parameter("token", token), Parameter("client_id", client)]), at: walk.now)
  }

  @Test("a client revokes its own tokens, unknown ones without complaint, and nobody else's")
  func revocation() throws {
    var walk = OAuth2Walk { $0.refreshTokens = .always }
    var issued = try walk.login()
    try revoke(&walk, "made-up")
    #expect(throws: OAuth2Failure.notOwnToken) { try revoke(&walk, issued.access, by: "other") }
    #expect(throws: OAuth2Failure.notOwnToken) { try revoke(&walk, issued.refresh!, by: "other") }
    #expect(throws: OAuth2Failure.unknownClient) { try revoke(&walk, issued.access, by: "nobody") }
    #expect(walk.works(issued.access))
    try revoke(&walk, issued.access)
    #expect(!walk.works(issued.access))
    issued = try walk.refresh(issued.refresh!)
    try revoke(&walk, issued.refresh!)
    #expect(!walk.works(issued.access))
    #expect(throws: OAuth2Failure.refreshTokenUnknown) { try walk.refresh(issued.refresh!) }
    walk.server.policy.accessRevocationKillsFamily = true
    issued = try walk.login()
    try revoke(&walk, issued.access)
    #expect(throws: OAuth2Failure.refreshTokenUnknown) { try walk.refresh(issued.refresh!) }
  }

  @Test("the user takes back everything of one application, or of all")
  func takenBack() throws {
    var walk = OAuth2Walk()
    let mine = try walk.login().access
    walk.clientID = "other"
    let others = try walk.login().access
    walk.server.revokeAll(of: "open")
    #expect(!walk.works(mine) && walk.works(others))
    walk.server.revokeAll()
    #expect(!walk.works(others))
    let again = try walk.login().access
    #expect(walk.works(again))
  }

  @Test("the oldest of a thousand and more logins are forgotten, the youngest are not")
  func bounded() throws {
    var walk = OAuth2Walk()
    var all: [String] = []
    for _ in 0..<1_005 { all.append(try walk.login().access) }
    #expect(all.map(walk.works) == Array(repeating: false, count: 5) + Array(repeating: true, count: 1_000))
  }
}
