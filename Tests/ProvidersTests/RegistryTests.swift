import HomelineOAuth
import Providers
import Testing

@Suite struct RegistryTests {
  @Test("each provider is found by its name")
  func names() throws {
    #expect(ProviderRegistry.names == ["sandbox", "twitter", "x"])
    let base = try RequestURL("http://127.0.0.1:4321")
    for name in ProviderRegistry.names { #expect(try ProviderRegistry.named(name, at: base)?.name == name) }
    #expect(try ProviderRegistry.named("friendster") == nil)
  }

  @Test("the sandbox has no address until it is told one, and is the same server at any port")
  func sandbox() throws {
    #expect(try ProviderRegistry.named("sandbox") == nil)
    let one = try SandboxProvider(base: "http://127.0.0.1:4321/")
    #expect(one.endpoints.requestToken.text == "http://127.0.0.1:4321/oauth/request_token")
    #expect(one.server == (try SandboxProvider(base: "http://127.0.0.1:9")).server)
    #expect(throws: RequestURLError.self) { try SandboxProvider(base: "nowhere") }
  }

  @Test("each address can be overridden by its name in the configuration")
  func overrides() throws {
    let moved = try RequestURL("https://social.example/x")
    for name in Endpoints.Name.allCases {
      let provider = name == .usersMe ? "x" : "twitter"
      let endpoints = try #require(try ProviderRegistry.named(provider, overriding: [name: moved])).endpoints
      let user = endpoints.verifyCredentials
      let found = [
        Endpoints.Name.requestToken: endpoints.requestToken, .authorize: endpoints.authorize,
        .accessToken: endpoints.accessToken, name == .usersMe ? .usersMe : .verifyCredentials: user,
        .homeTimeline: endpoints.homeTimeline, .invalidateToken: endpoints.invalidateToken,
      ]
      #expect(found.filter { $0.value == moved }.map(\.key) == [name])
    }
  }

  @Test("a server is known by where its tokens come from, and X's two names are one")
  func server() throws {
    #expect(Samples.twitter.server == "https://api.twitter.com")
    #expect(
      try ProviderRegistry.named("twitter", at: RequestURL("https://api.x.com"))?.server == Samples.twitter.server)
    #expect(Samples.x.server == Samples.twitter.server, "the same user of it has the same token")
    #expect(Samples.other.server == "https://social.example")
  }
}
