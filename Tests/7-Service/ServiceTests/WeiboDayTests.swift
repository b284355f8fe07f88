import Bytes
import Formats
import HomelineOAuth
import SandboxSupport
import Service
import Settings
import Testing
import Timeline

@testable import Sandbox

@Suite("A Weibo account over several days") struct WeiboDayTests {
  @Test("a Weibo account sends at most a hundred requests on any day, and none is refused")
  func days() async throws {
    let fixture = try BearerFixture(WeiboSandbox(redirects: [OAuth2Flow.redirect])) { try .weibo("weibo", at: $0) }
    let client = OAuth2Client(
      identifier: WeiboSandbox.clientID, secret: Secret(WeiboSandbox.clientSecret), authentication: .body)
    try fixture.authorise(
      as: client,
      OAuth2Flow(authorize: WeiboRoute.authorize.path, token: WeiboRoute.token.path, usesPKCE: false))
    await fixture.start()
    for _ in 0..<36 {
      await fixture.run(for: .seconds(3_600))
      #expect(fixture.play { $0.api.usage.used } <= 100)
    }
    #expect(fixture.visits.allSatisfy { $0.status == 200 } && fixture.visits.count > 36 * 3)
    #expect(try fixture.published().head.problem == nil)
    await fixture.close()
  }
}
