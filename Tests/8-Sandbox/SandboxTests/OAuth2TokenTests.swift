import HTTP
import HomelineOAuth
import Testing
import Time

@testable import Sandbox

@Suite("The sandbox's token endpoint (OAuth 2.0)")
struct OAuth2TokenTests {
  @Test("An authorisation code is exchanged for tokens with the authorised scopes")
  func whole() throws {
    var app = OAuth2TestClient {
      $0.accessLife = .seconds(7_200)
      $0.refreshTokens = .withScope("keep")
    }
    let issued = try app.login()
    let response = issued.response
    #expect(response.status == .ok && response.headers.first("Cache-Control") == "no-store")
    #expect(
      try ReceivedV2Page(response.body).texts == [
        "access_token": issued.access, "token_type": "Bearer", "expires_in": "7200",
        "refresh_token": try #require(issued.refresh), "scope": "read keep",
      ])
    let grant = try app.admit(bearing: issued.access)
    #expect(grant.clientID == "open" && grant.userID == "14000001" && grant.allows("read") && !grant.allows("write"))
    #expect(try app.login(["scope": "read"]).refresh == nil)
    app.server.policy.writesExpiryAsText = true
    #expect(try app.login().response.text.contains("\"expires_in\":\"7200\""))
    app.server.policy.accessLife = nil
    #expect(try !app.login().response.text.contains("expires_in"))
  }

  @Test("An authorisation code works only once; a second use revokes the tokens from the first use")
  func codeTwice() throws {
    var app = OAuth2TestClient { $0.refreshTokens = .always }
    let code = try app.code()
    let issued = try app.exchange(code)
    #expect(app.works(issued.access))
    #expect(throws: OAuth2Error.codeUsed) { try app.exchange(code) }
    #expect(throws: AccessTokenError.revoked) { try app.admit(bearing: issued.access) }
    #expect(throws: OAuth2Error.refreshTokenUnknown) { try app.refresh(issued.refresh!) }
  }

  @Test("An authorisation code works until it expires")
  func codeLate() throws {
    var app = OAuth2TestClient { $0.codeLife = .seconds(30) }
    let codes = try [app.code(), app.code()]
    app.now = app.now + .milliseconds(29_999)
    _ = try app.exchange(codes[0])
    app.now = app.now + .milliseconds(1)
    #expect(throws: OAuth2Error.codeExpired) { try app.exchange(codes[1]) }
  }

  @Test(
    "A wrong client, redirect URI or verifier is refused without using up the authorisation code",
    arguments: [
      (["code": "made-up"], .codeUnknown), (["client_id": "other"], .codeUnknown),
      (["redirect_uri": "http://127.0.0.1:8765/"], .wrongRedirect),
      (["redirect_uri": nil], .badRequest("The parameter redirect_uri is missing.")),
      (["code_verifier": nil], .badRequest("The parameter code_verifier is missing.")),
      (["code_verifier": String(repeating: "v", count: 43)], .wrongVerifier),
      (["code_verifier": OAuth2TestClient.challenge], .wrongVerifier),
      (["code": nil], .badRequest("The parameter code is missing.")),
      (["grant_type": "password"], .grantTypeNotSupported),
      (["grant_type": OAuth2Server.deviceGrantType], .grantTypeNotSupported),
      (["grant_type": nil], .badRequest("The parameter grant_type is missing.")),
      (["client_id": "nobody"], .unknownClient),
      (["client_id": nil], .badRequest("The parameter client_id is missing.")),
    ] as [(OAuth2TestClient.Changes, OAuth2Error)])
  func notOfTheCode(changes: OAuth2TestClient.Changes, failure: OAuth2Error) throws {
    var app = OAuth2TestClient()
    let code = try app.code()
    #expect(throws: failure) { try app.exchange(code, changes) }
    let access = try app.exchange(code).access
    #expect(app.works(access))
  }

  @Test("The code challenge is ignored or enforced, depending on the policy")
  func proofKeys() throws {
    var app = OAuth2TestClient { $0.proofKey = .ignored }
    let ignored = try app.exchange(app.code(), ["code_verifier": "wrong"]).access
    #expect(app.works(ignored))
    app.server.policy.proofKey = .honoured
    let none: OAuth2TestClient.Changes = ["code_challenge": nil, "code_challenge_method": nil]
    let honoured = try app.exchange(app.code(none), ["code_verifier": nil]).access
    #expect(app.works(honoured))
    let code = try app.code()
    #expect(throws: OAuth2Error.wrongVerifier) {
      try app.exchange(code, ["code_verifier": String(repeating: "v", count: 43)])
    }
    let bare = try app.code(none)
    #expect(throws: OAuth2Error.wrongVerifier) { try app.exchange(bare) }
    app.server.policy.allowsPlainChallenge = true
    let plain = try app.code(["code_challenge": OAuth2TestClient.verifier, "code_challenge_method": nil])
    let plainly = try app.exchange(plain).access
    #expect(app.works(plainly))
  }

  @Test("A confidential client sends its secret either in the body or, form-encoded, in the header")
  func secrets() throws {
    var app = OAuth2TestClient()
    app.clientID = "closed"
    let code = try app.code()
    let right = OAuth2TestClient.basic("closed", OAuth2TestClient.secret)
    #expect(throws: OAuth2Error.authenticationMissing) { try app.exchange(code) }
    #expect(throws: OAuth2Error.wrongSecret) { try app.exchange(code, ["client_secret": "wrong"]) }
    #expect(throws: OAuth2Error.wrongSecret) { try app.exchange(code, [:], OAuth2TestClient.basic("closed", "wrong")) }
    #expect(throws: OAuth2Error.unsupportedAuthentication) {
      try app.exchange(code, ["client_secret": OAuth2TestClient.secret], right)
    }
    #expect(throws: OAuth2Error.unsupportedAuthentication) {
      try app.exchange(code, [:], ["Authorization": "Basic ?"])
    }
    #expect(throws: OAuth2Error.badRequest("There are two different client_ids.")) {
      try app.exchange(code, ["client_id": "open"], right)
    }
    _ = try app.exchange(code, ["client_id": nil], right)
    _ = try app.exchange(try app.code(), [:], right)
    _ = try app.exchange(try app.code(), ["client_secret": OAuth2TestClient.secret])
  }

  @Test(
    "Client authentication methods that the policy does not allow are refused, including the method of public clients"
  )
  func ways() throws {
    var app = OAuth2TestClient { $0.clientAuthentications = [.basic] }
    let open = try app.code()
    #expect(throws: OAuth2Error.unsupportedAuthentication) { try app.exchange(open) }
    app.clientID = "closed"
    let closed = try app.code()
    #expect(throws: OAuth2Error.unsupportedAuthentication) {
      try app.exchange(closed, ["client_secret": OAuth2TestClient.secret])
    }
    _ = try app.exchange(closed, [:], OAuth2TestClient.basic("closed", OAuth2TestClient.secret))
  }

  @Test("The token endpoint requires a POST form, and reads the query only if the policy allows it")
  func transport() throws {
    var app = OAuth2TestClient()
    let form = [
      Parameter("grant_type", "authorization_code"), Parameter("code", try app.code()),
      Parameter("redirect_uri", OAuth2TestClient.redirect), Parameter("client_id", "open"),
      Parameter("code_verifier", OAuth2TestClient.verifier),
    ]
    let inQuery = OAuth2TestClient.request(.post, "/oauth/token?\(FormEncoding.encode(form))")
    var untyped = OAuth2TestClient.request(.post, "/oauth/token", form: form)
    untyped.headers.set(.contentType, "application/json")
    for request in [inQuery, untyped, OAuth2TestClient.request(.get, "/oauth/token", form: form)] {
      #expect(throws: OAuth2Error.self) { try app.server.token(request, at: app.now) }
    }
    app.server.policy.readsTokenQuery = true
    _ = try app.server.token(inQuery, at: app.now)
  }

  @Test("Error responses from the token endpoint follow RFC 6749 §5.2")
  func refusals() throws {
    for (failure, status, code): (OAuth2Error, Int, String) in [
      (.badRequest("x"), 400, "invalid_request"), (.unknownClient, 401, "invalid_client"),
      (.wrongSecret, 401, "invalid_client"), (.codeUsed, 400, "invalid_grant"),
      (.refreshTokenUsed, 400, "invalid_grant"), (.grantTypeNotSupported, 400, "unsupported_grant_type"),
      (.scopeNotAllowed, 400, "invalid_scope"), (.notOwnToken, 400, "unauthorized_client"),
    ] {
      let response = failure.response
      #expect(response.status.code == status)
      #expect(try ReceivedV2Page(response.body).texts == ["error": code, "error_description": failure.message])
      #expect((response.headers.first("WWW-Authenticate") != nil) == (status == 401))
    }
  }
}
