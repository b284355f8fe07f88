import CivilTime
import HTTP
import HomelineOAuth
import Sandbox
import Testing

@Suite("The sandbox after a restart")
struct SandboxRestartTests {
  @Test("a provider with the same key goes on where another one stopped, at any point of a login")
  func goesOn() throws {
    var walk = SandboxWalk()
    let old = try walk.login()
    let temporary = try walk.requestToken()
    walk.provider = SandboxProvider(key: SandboxWalk.key)
    walk.origin = "http://localhost:5000"
    let verifier = try walk.verifier(temporary)
    walk.provider = SandboxProvider(key: SandboxWalk.key)
    #expect(try walk.exchange(temporary, verifier).status == .ok)
    #expect(try walk.page(by: old).count == 20)
  }

  @Test("another key knows none of it")
  func otherKey() throws {
    var walk = SandboxWalk()
    let old = try walk.login()
    let temporary = try walk.requestToken()
    walk.provider = SandboxProvider(key: .random())
    #expect(try walk.get(.homeTimeline, by: old).code == 89)
    #expect(try walk.page(temporary).status == .forbidden)
    #expect(SandboxKey(bytes: [1, 2, 3]) == nil)
  }

  @Test("an invalidated token stays so for who is told of it, and the others live on")
  func revoked() throws {
    var walk = SandboxWalk()
    let (token, other) = (try walk.login(), try walk.login())
    #expect(walk.provider.revokedTokens.isEmpty)
    #expect(try walk.get(.invalidateToken, by: token).text == "{\"access_token\":\"\(token.identifier)\"}")
    #expect(try walk.get(.homeTimeline, by: token).code == 89)
    #expect(walk.provider.revokedTokens == [token.identifier])
    walk.provider = SandboxProvider(key: SandboxWalk.key, revokedTokens: walk.provider.revokedTokens)
    #expect(try walk.get(.homeTimeline, by: token).code == 89)
    #expect(try walk.get(.homeTimeline, by: other).status == .ok)
  }
}
