import CivilTime
import HTTP
import HomelineOAuth
import Sandbox
import Testing

@Suite("The sandbox's token endpoint of OAuth 2.0")
struct OAuth2TokenTests {
  @Test("a code brings what was agreed to, and the answer says so")
  func whole() throws {
    var walk = OAuth2Walk {
      $0.accessLife = .seconds(7_200)
      $0.refreshTokens = .withScope("keep")
    }
    let issued = try walk.login()
    let answer = issued.response
    #expect(answer.status == .ok && answer.headers.first("Cache-Control") == "no-store")
    #expect(
      try V2OnTheWire(answer.body).texts == [
        "access_token": issued.access, "token_type": "Bearer", "expires_in": "7200",
        "refresh_token": try #require(issued.refresh), "scope": "read keep",
      ])
    let grant = try walk.admit(bearing: issued.access)
    #expect(grant.clientID == "open" && grant.userID == "14000001" && grant.allows("read") && !grant.allows("write"))
    #expect(try walk.login(["scope": "read"]).refresh == nil)
    walk.server.policy.writesExpiryAsText = true
    #expect(try walk.login().response.text.contains("\"expires_in\":\"7200\""))
    walk.server.policy.accessLife = nil
    #expect(try !walk.login().response.text.contains("expires_in"))
  }

  @Test("a code works once, and its second use ends what the first had brought")
  func codeTwice() throws {
    var walk = OAuth2Walk { $0.refreshTokens = .always }
    let code = try walk.code()
    let issued = try walk.exchange(code)
    #expect(walk.works(issued.access))
    #expect(throws: OAuth2Failure.codeUsed) { try walk.exchange(code) }
    #expect(throws: TokenFault.revoked) { try walk.admit(bearing: issued.access) }
    #expect(throws: OAuth2Failure.refreshTokenUnknown) { try walk.refresh(issued.refresh!) }
  }

  @Test("a code works until its life is over, and not from then on")
  func codeLate() throws {
    var walk = OAuth2Walk { $0.codeLife = .seconds(30) }
    let codes = try [walk.code(), walk.code()]
    walk.now = walk.now + .milliseconds(29_999)
    _ = try walk.exchange(codes[0])
    walk.now = walk.now + .milliseconds(1)
    #expect(throws: OAuth2Failure.codeExpired) { try walk.exchange(codes[1]) }
  }

  @Test(
    "what does not belong to the code is refused, and the code still works afterwards",
    arguments: [
      (["code": "made-up"], .codeUnknown), (["client_id": "other"], .codeUnknown),
      (["redirect_uri": "http://127.0.0.1:8765/"], .wrongRedirect),
      (["redirect_uri": nil], .badRequest("The parameter redirect_uri is missing.")),
      (["code_verifier": nil], .badRequest("The parameter code_verifier is missing.")),
      (["code_verifier": String(repeating: "v", count: 43)], .wrongVerifier),
      (["code_verifier": OAuth2Walk.challenge], .wrongVerifier),
      (["code": nil], .badRequest("The parameter code is missing.")),
      (["grant_type": "password"], .grantTypeNotSupported),
      (["grant_type": OAuth2Server.deviceGrantType], .grantTypeNotSupported),
      (["grant_type": nil], .badRequest("The parameter grant_type is missing.")),
      (["client_id": "nobody"], .unknownClient),
      (["client_id": nil], .badRequest("The parameter client_id is missing.")),
    ] as [(OAuth2Walk.Changes, OAuth2Failure)])
  func notOfTheCode(changes: OAuth2Walk.Changes, failure: OAuth2Failure) throws {
    var walk = OAuth2Walk()
    let code = try walk.code()
    #expect(throws: failure) { try walk.exchange(code, changes) }
    let access = try walk.exchange(code).access
    #expect(walk.works(access))
  }

  @Test("a challenge is not looked at where the policy ignores it, and held to where it is honoured")
  func proofKeys() throws {
    var walk = OAuth2Walk { $0.proofKey = .ignored }
    let ignored = try walk.exchange(walk.code(), ["code_verifier": "wrong"]).access
    #expect(walk.works(ignored))
    walk.server.policy.proofKey = .honoured
    let none: OAuth2Walk.Changes = ["code_challenge": nil, "code_challenge_method": nil]
    let honoured = try walk.exchange(walk.code(none), ["code_verifier": nil]).access
    #expect(walk.works(honoured))
    let code = try walk.code()
    #expect(throws: OAuth2Failure.wrongVerifier) {
      try walk.exchange(code, ["code_verifier": String(repeating: "v", count: 43)])
    }
    let bare = try walk.code(none)
    #expect(throws: OAuth2Failure.wrongVerifier) { try walk.exchange(bare) }
    walk.server.policy.allowsPlainChallenge = true
    let plain = try walk.code(["code_challenge": OAuth2Walk.verifier, "code_challenge_method": nil])
    let plainly = try walk.exchange(plain).access
    #expect(walk.works(plainly))
  }

  @Test("a confidential client shows its secret in the body or in the header, form-encoded, and not in both")
  func secrets() throws {
    var walk = OAuth2Walk()
    walk.clientID = "closed"
    let code = try walk.code()
    let right = OAuth2Walk.basic("closed", OAuth2Walk.secret)
    #expect(throws: OAuth2Failure.authenticationMissing) { try walk.exchange(code) }
    #expect(throws: OAuth2Failure.wrongSecret) { try walk.exchange(code, ["client_secret": "wrong"]) }
    #expect(throws: OAuth2Failure.wrongSecret) { try walk.exchange(code, [:], OAuth2Walk.basic("closed", "wrong")) }
    #expect(throws: OAuth2Failure.authenticationNotTaken) {
      try walk.exchange(code, ["client_secret": OAuth2Walk.secret], right)
    }
    #expect(throws: OAuth2Failure.authenticationNotTaken) { try walk.exchange(code, [:], ["Authorization": "Basic ?"]) }
    #expect(throws: OAuth2Failure.badRequest("There are two different client_ids.")) {
      try walk.exchange(code, ["client_id": "open"], right)
    }
    _ = try walk.exchange(code, ["client_id": nil], right)
    _ = try walk.exchange(try walk.code(), [:], right)
    _ = try walk.exchange(try walk.code(), ["client_secret": OAuth2Walk.secret])
  }

  @Test("a way that the policy does not take is refused, public clients among them")
  func ways() throws {
    var walk = OAuth2Walk { $0.clientAuthentications = [.basic] }
    let open = try walk.code()
    #expect(throws: OAuth2Failure.authenticationNotTaken) { try walk.exchange(open) }
    walk.clientID = "closed"
    let closed = try walk.code()
    #expect(throws: OAuth2Failure.authenticationNotTaken) {
      try walk.exchange(closed, ["client_secret": OAuth2Walk.secret])
    }
    _ = try walk.exchange(closed, [:], OAuth2Walk.basic("closed", OAuth2Walk.secret))
  }

  @Test("the token endpoint wants a form by POST, and reads the query only where the policy says so")
  func transport() throws {
    var walk = OAuth2Walk()
    let form = [
      Parameter("grant_type", "authorization_code"), Parameter("code", try walk.code()),
      Parameter("redirect_uri", OAuth2Walk.redirect), Parameter("client_id", "open"),
      Parameter("code_verifier", OAuth2Walk.verifier),
    ]
    let inQuery = OAuth2Walk.request(.post, "/oauth/token?\(FormEncoding.encode(form))")
    var untyped = OAuth2Walk.request(.post, "/oauth/token", form: form)
    untyped.headers.set(.contentType, "application/json")
    for request in [inQuery, untyped, OAuth2Walk.request(.get, "/oauth/token", form: form)] {
      #expect(throws: OAuth2Failure.self) { try walk.server.token(request, at: walk.now) }
    }
    walk.server.policy.readsTokenQuery = true
    _ = try walk.server.token(inQuery, at: walk.now)
  }

  @Test("refusals are those of RFC 6749 §5.2")
  func refusals() throws {
    for (failure, status, code): (OAuth2Failure, Int, String) in [
      (.badRequest("x"), 400, "invalid_request"), (.unknownClient, 401, "invalid_client"),
      (.wrongSecret, 401, "invalid_client"), (.codeUsed, 400, "invalid_grant"),
      (.refreshTokenUsed, 400, "invalid_grant"), (.grantTypeNotSupported, 400, "unsupported_grant_type"),
      (.scopeNotAllowed, 400, "invalid_scope"), (.notOwnToken, 400, "unauthorized_client"),
    ] {
      let response = failure.response
      #expect(response.status.code == status)
      #expect(try V2OnTheWire(response.body).texts == ["error": code, "error_description": failure.words])
      #expect((response.headers.first("WWW-Authenticate") != nil) == (status == 401))
    }
  }
}
