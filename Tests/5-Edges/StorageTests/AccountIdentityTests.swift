import Storage
import Testing
import Timeline

@Suite("The identity of an account") struct AccountIdentityTests {
  private func identity(_ server: String, _ id: String = "1") -> AccountIdentity {
    AccountIdentity(server: server, user: User(id: id, screenName: "a", name: "A"))
  }

  @Test("the same id on another site of the same host is another user")
  func sites() {
    let (one, other) = (identity("https://host.example/one"), identity("https://host.example/other"))
    #expect(one.conflicts(with: other) && !one.isSameUser(as: other) && one.isSameUser(as: one))
  }

  @Test("an account stored without its site's folder stays the same user's, and no other account becomes it")
  func storedWithoutFolder() {
    let site = identity("https://host.example/one")
    #expect(site.keepingServer(of: identity("https://host.example")).server == "https://host.example")
    for other in [identity("https://host.example", "2"), identity("https://host.exam"), identity("https://x.example")] {
      #expect(site.keepingServer(of: other) == site)
    }
    #expect(site.keepingServer(of: nil) == site)
    #expect(!site.isSameUser(as: identity("https://host.example")))
  }
}
