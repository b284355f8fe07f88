import Testing
import Time

@testable import Sandbox

@Suite("The sandbox's refresh tokens")
struct OAuth2RefreshTests {
  private func app(_ change: @escaping (inout OAuth2Policy) -> Void) -> OAuth2TestClient {
    OAuth2TestClient {
      $0.refreshTokens = .always
      $0.accessLife = .seconds(600)
      change(&$0)
    }
  }

  @Test("Without rotation, a refresh token stays valid, and no new one is issued")
  func none() throws {
    var app = app { $0.rotation = .none }
    let refresh = try #require(try app.login().refresh)
    for _ in 0..<3 {
      let next = try app.refresh(refresh)
      #expect(next.refresh == nil && app.works(next.access))
    }
  }

  @Test("With rotation, the old refresh token is refused, and the login stays valid")
  func rotating() throws {
    var app = app { $0.rotation = .rotating }
    let first = try app.login()
    let second = try app.refresh(first.refresh!)
    #expect(second.refresh != nil && second.refresh != first.refresh && second.access != first.access)
    #expect(throws: OAuth2Error.refreshTokenUsed) { try app.refresh(first.refresh!) }
    #expect(app.works(second.access))
    let third = try app.refresh(second.refresh!).access
    #expect(app.works(third))
  }

  @Test("Reusing a rotated refresh token revokes only its own login")
  func family() throws {
    var app = app { $0.rotation = .rotatingRevokesFamily }
    let other = try app.login()
    let first = try app.login()
    let second = try app.refresh(first.refresh!)
    #expect(throws: OAuth2Error.refreshTokenUsed) { try app.refresh(first.refresh!) }
    for access in [first.access, second.access] { #expect(!app.works(access)) }
    #expect(throws: OAuth2Error.refreshTokenUnknown) { try app.refresh(second.refresh!) }
    #expect(app.works(other.access))
    let next = try app.refresh(other.refresh!).access
    #expect(app.works(next))
  }

  @Test("A used refresh token keeps working for a grace period after its first use")
  func grace() throws {
    var app = app { $0.grace = .seconds(10) }
    let first = try app.login()
    _ = try app.refresh(first.refresh!)
    app.now = app.now + .seconds(9)
    let again = try app.refresh(first.refresh!)
    #expect(app.works(again.access))
    app.now = app.now + .seconds(1)
    #expect(throws: OAuth2Error.refreshTokenUsed) { try app.refresh(first.refresh!) }
    #expect(!app.works(again.access))
  }

  @Test("A refresh can revoke earlier access tokens")
  func killsAccess() throws {
    for kills in [false, true] {
      var app = app { $0.refreshRevokesAccess = kills }
      let first = try app.login()
      let second = try app.refresh(first.refresh!)
      #expect(app.works(first.access) == !kills)
      #expect(app.works(second.access))
    }
  }

  @Test("A new login can revoke earlier logins of the same client, but not logins of other clients")
  func loginKills() throws {
    for kills in [false, true] {
      var app = app { $0.loginRevokesEarlier = kills }
      app.clientID = "other"
      let others = try app.login()
      app.clientID = "open"
      let first = try app.login()
      let second = try app.login()
      #expect(app.works(first.access) == !kills)
      #expect(app.works(second.access) && app.works(others.access))
    }
  }

  @Test("A refresh may request fewer scopes but not more, and the refresh token keeps its scopes")
  func scopes() throws {
    var app = app { _ in }
    var issued = try app.login()
    issued = try app.refresh(issued.refresh!, ["scope": "read"])
    #expect(issued.scope == "read")
    #expect(try !app.admit(bearing: issued.access).allows("keep"))
    #expect(throws: OAuth2Error.scopeNotAllowed) { try app.refresh(issued.refresh!, ["scope": "read write"]) }
    #expect(try app.refresh(issued.refresh!).scope == "read keep")
  }

  @Test("The sandbox's access and refresh tokens expire")
  func lives() throws {
    var app = app { $0.refreshLife = .seconds(1_000) }
    let issued = try app.login()
    app.now = app.now + .milliseconds(599_999)
    #expect(app.works(issued.access))
    app.now = app.now + .milliseconds(1)
    #expect(throws: AccessTokenError.expired) { try app.admit(bearing: issued.access) }
    app.now = OAuth2TestClient.start + .seconds(1_000)
    #expect(throws: OAuth2Error.refreshTokenExpired) { try app.refresh(issued.refresh!) }
  }

  @Test(
    "The sandbox refuses unknown and other clients' refresh tokens, and all of them if it does not support refreshes"
  )
  func refused() throws {
    var app = app { _ in }
    let refresh = try #require(try app.login().refresh)
    #expect(throws: OAuth2Error.refreshTokenUnknown) { try app.refresh(refresh, ["client_id": "other"]) }
    #expect(throws: OAuth2Error.refreshTokenUnknown) { try app.refresh("made-up") }
    app.server.policy.refreshTokens = .never
    #expect(throws: OAuth2Error.grantTypeNotSupported) { try app.refresh(refresh) }
    #expect(try app.login().refresh == nil)
  }
}
