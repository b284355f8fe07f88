import CivilTime
import Sandbox
import Testing

@Suite("The sandbox's refresh tokens")
struct OAuth2RefreshTests {
  private func walk(_ change: @escaping (inout OAuth2Policy) -> Void) -> OAuth2Walk {
    OAuth2Walk {
      $0.refreshTokens = .always
      $0.accessLife = .seconds(600)
      change(&$0)
    }
  }

  @Test("without rotation the same refresh token works again, and none comes")
  func none() throws {
    var walk = walk { $0.rotation = .none }
    let refresh = try #require(try walk.login().refresh)
    for _ in 0..<3 {
      let next = try walk.refresh(refresh)
      #expect(next.refresh == nil && walk.works(next.access))
    }
  }

  @Test("rotated, the old one is refused and the login goes on")
  func rotating() throws {
    var walk = walk { $0.rotation = .rotating }
    let first = try walk.login()
    let second = try walk.refresh(first.refresh!)
    #expect(second.refresh != nil && second.refresh != first.refresh && second.access != first.access)
    #expect(throws: OAuth2Failure.refreshTokenUsed) { try walk.refresh(first.refresh!) }
    #expect(walk.works(second.access))
    let third = try walk.refresh(second.refresh!).access
    #expect(walk.works(third))
  }

  @Test("the second use of a rotated one ends the whole login where the policy says so, and no other login")
  func family() throws {
    var walk = walk { $0.rotation = .rotatingKillsFamily }
    let other = try walk.login()
    let first = try walk.login()
    let second = try walk.refresh(first.refresh!)
    #expect(throws: OAuth2Failure.refreshTokenUsed) { try walk.refresh(first.refresh!) }
    for access in [first.access, second.access] { #expect(!walk.works(access)) }
    #expect(throws: OAuth2Failure.refreshTokenUnknown) { try walk.refresh(second.refresh!) }
    #expect(walk.works(other.access))
    let next = try walk.refresh(other.refresh!).access
    #expect(walk.works(next))
  }

  @Test("within the grace an old one brings another pair; the grace counts from its first use")
  func grace() throws {
    var walk = walk { $0.grace = .seconds(10) }
    let first = try walk.login()
    _ = try walk.refresh(first.refresh!)
    walk.now = walk.now + .seconds(9)
    let again = try walk.refresh(first.refresh!)
    #expect(walk.works(again.access))
    walk.now = walk.now + .seconds(1)
    #expect(throws: OAuth2Failure.refreshTokenUsed) { try walk.refresh(first.refresh!) }
    #expect(!walk.works(again.access))
  }

  @Test("a refresh ends the access tokens before it where the policy says so")
  func killsAccess() throws {
    for kills in [false, true] {
      var walk = walk { $0.refreshKillsAccess = kills }
      let first = try walk.login()
      let second = try walk.refresh(first.refresh!)
      #expect(walk.works(first.access) == !kills)
      #expect(walk.works(second.access))
    }
  }

  @Test("a new login ends what the client had before where the policy says so, and nothing of others")
  func loginKills() throws {
    for kills in [false, true] {
      var walk = walk { $0.loginKillsFormer = kills }
      walk.clientID = "other"
      let others = try walk.login()
      walk.clientID = "open"
      let first = try walk.login()
      let second = try walk.login()
      #expect(walk.works(first.access) == !kills)
      #expect(walk.works(second.access) && walk.works(others.access))
    }
  }

  @Test("fewer scopes may be asked for, and more may not; the refresh token keeps its own")
  func scopes() throws {
    var walk = walk { _ in }
    var issued = try walk.login()
    issued = try walk.refresh(issued.refresh!, ["scope": "read"])
    #expect(issued.scope == "read")
    #expect(try !walk.admit(bearing: issued.access).allows("keep"))
    #expect(throws: OAuth2Failure.scopeNotAllowed) { try walk.refresh(issued.refresh!, ["scope": "read write"]) }
    #expect(try walk.refresh(issued.refresh!).scope == "read keep")
  }

  @Test("access and refresh tokens end with their lives")
  func lives() throws {
    var walk = walk { $0.refreshLife = .seconds(1_000) }
    let issued = try walk.login()
    walk.now = walk.now + .milliseconds(599_999)
    #expect(walk.works(issued.access))
    walk.now = walk.now + .milliseconds(1)
    #expect(throws: TokenFault.expired) { try walk.admit(bearing: issued.access) }
    walk.now = OAuth2Walk.start + .seconds(1_000)
    #expect(throws: OAuth2Failure.refreshTokenExpired) { try walk.refresh(issued.refresh!) }
  }

  @Test("a refresh token of another client, a made-up one, or a server without refresh: refused")
  func refused() throws {
    var walk = walk { _ in }
    let refresh = try #require(try walk.login().refresh)
    #expect(throws: OAuth2Failure.refreshTokenUnknown) { try walk.refresh(refresh, ["client_id": "other"]) }
    #expect(throws: OAuth2Failure.refreshTokenUnknown) { try walk.refresh("made-up") }
    walk.server.policy.refreshTokens = .never
    #expect(throws: OAuth2Failure.grantTypeNotSupported) { try walk.refresh(refresh) }
    #expect(try walk.login().refresh == nil)
  }
}
