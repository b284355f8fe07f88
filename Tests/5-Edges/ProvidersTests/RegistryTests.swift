import Bytes
import HTTP
import HTTPClient
import HomelineOAuth
import Testing
import Timeline

@testable import Providers

@Suite struct RegistryTests {
  @Test("every provider can be found by name")
  func names() throws {
    let names = ProviderRegistry.all.map { $0.name } + KnownServer.all.map(\.name)
    #expect(
      names.sorted() == [
        "fastmail", "gokuai", "google", "mastodon", "microsoft", "oauth1", "oauth2", "sandbox", "twitter", "weibo", "x",
      ])
    let base = try RequestURL("http://127.0.0.1:4321")
    for name in names {
      let schemes = [OAuthVersion.oauth1, .oauth2]
      // The provider oauth1 has only configured endpoints.
      let required: [EndpointName] = name == "oauth1" ? [.requestToken, .authorize, .accessToken] : []
      let endpoints = Dictionary(uniqueKeysWithValues: required.map { ($0, base) })
      let found = try schemes.compactMap {
        try ProviderRegistry.named(name, at: ProviderLocation($0, at: base, endpoints: endpoints))?.name
      }
      #expect(!found.isEmpty && found.allSatisfy { $0 == name })
    }
    #expect(try ProviderRegistry.named("friendster") == nil)
  }

  @Test("on servers without Mastodon's API, timelines are not reread and individual posts are not requested")
  func rereading() throws {
    for name in ["sandbox", "twitter", "weibo", "x"] {
      let base = try RequestURL("http://127.0.0.1:4321")
      let provider = try #require(
        try ProviderRegistry.named(name, at: ProviderLocation(name == "weibo" ? .oauth2 : .oauth1, at: base)))
      #expect(provider.traits(of: .home)?.rereadEvery == nil && provider.postRequest(for: PostID("1")) == nil)
      #expect(provider.presence(of: PostID("1"), from: Samples.respond("", status: 404)) == .unknown)
    }
  }

  @Test("the sandbox provider requires an address, and is the same server on any port")
  func sandbox() throws {
    #expect(try ProviderRegistry.named("sandbox") == nil)
    func sandbox(_ base: String) throws -> any Provider {
      try #require(try ProviderRegistry.named("sandbox", at: ProviderLocation(at: RequestURL(base))))
    }
    let one = try sandbox("http://127.0.0.1:4321/")
    guard case .oauth1(let endpoints) = one.authorization else { return #expect(Bool(false), "\(one.authorization)") }
    #expect(endpoints.requestToken.text == "http://127.0.0.1:4321/oauth/request_token")
    #expect(one.server == (try sandbox("http://127.0.0.1:9")).server)
  }

  @Test("each endpoint can be overridden by its name in the configuration")
  func overrides() throws {
    let moved = try RequestURL("https://social.example/x")
    for name: EndpointName in [.requestToken, .authorize, .accessToken, .invalidateToken] {
      let provider = try #require(try Samples.named("twitter", overriding: [name: moved]))
      guard case .oauth1(let endpoints) = provider.authorization else { return #expect(Bool(false), "\(name)") }
      let found: [EndpointName: RequestURL?] = [
        .requestToken: endpoints.requestToken, .authorize: endpoints.authorize, .accessToken: endpoints.accessToken,
        .invalidateToken: endpoints.invalidateToken,
      ]
      #expect(found.filter { $0.value == moved }.map(\.key) == [name])
    }
    for name: EndpointName in [.authorize, .token, .revoke] {
      let provider = try #require(try Samples.named("x", .oauth2, overriding: [name: moved]))
      guard case .oauth2(let profile) = provider.authorization else { return #expect(Bool(false), "\(name)") }
      let found: [EndpointName: RequestURL?] = [
        .authorize: profile.endpoints?.authorize, .token: profile.endpoints?.token,
        .revoke: profile.endpoints?.revocation,
      ]
      #expect(found.filter { $0.value == moved }.map(\.key) == [name])
    }
    for (provider, name) in [("twitter", EndpointName.verifyCredentials), ("x", .usersMe)] {
      let provider = try #require(try Samples.named(provider, overriding: [name: moved]))
      #expect(provider.userRequest()?.address.path == "/x")
      #expect(provider.pageRequest(for: TimelineQuery(count: 1)).address.path != "/x")
    }
    let provider = try #require(try Samples.named("twitter", overriding: [.homeTimeline: moved]))
    #expect(provider.pageRequest(for: TimelineQuery(count: 1)).address.path == "/x")
  }

  @Test("a server is identified by the origin of its tokens, and X's two host names are the same server")
  func server() throws {
    #expect(Samples.twitter.server == "https://api.twitter.com")
    #expect(
      try ProviderRegistry.named("twitter", at: ProviderLocation(at: RequestURL("https://api.x.com")))?.server
        == Samples.twitter.server)
    #expect(Samples.x.server == Samples.twitter.server, "both names belong to one server")
    #expect(Samples.other.server == "https://social.example")
  }
}
