import Bytes
import Settings
import Testing
import Timeline

@testable import Providers

/// The two tables of providers: one for the configuration, and one for the requests.
@Suite struct ProviderTablesTests {
  @Test("the configuration and the registry contain the same providers")
  func names() {
    let registered = ProviderRegistry.all.map { $0.name } + KnownServer.all.map(\.name)
    #expect(ProviderDefaults.known.keys.sorted() == registered.sorted())
  }

  @Test("every configurable endpoint has a name that providers use")
  func endpoints() {
    for (provider, defaults) in ProviderDefaults.known {
      for name in defaults.endpoints.values.joined() {
        #expect(EndpointName(rawValue: name) != nil, "\(provider): \(name)")
      }
    }
  }

  @Test("the configuration accepts exactly the timelines that each provider offers")
  func timelines() throws {
    for (name, defaults) in ProviderDefaults.known {
      let server = ["mastodon", "sandbox"].contains(name) ? try RequestURL("https://social.example") : nil
      var place = ProviderLocation(defaults.schemes[0].version, at: server, issuer: "https://login.example")
      place.driveAccess = .library
      if name == "oauth1" {
        for endpoint in [EndpointName.requestToken, .authorize, .accessToken] {
          place.endpoints[endpoint] = try RequestURL("https://wiki.example/\(endpoint)")
        }
      }
      let provider = try #require(try ProviderRegistry.named(name, at: place), "\(name)")
      for kind in TimelineName.Kind.allCases {
        let timeline = try TimelineName(kind.argument.map { "\(kind.rawValue):\($0)" } ?? kind.rawValue)
        #expect((provider.traits(of: timeline) != nil) == defaults.timelines.contains(kind), "\(name): \(kind)")
      }
    }
  }

  @Test("the configuration knows which addresses of home show where other timelines are")
  func otherAddresses() throws {
    let end = try #require(ProviderDefaults.known["twitter"]?.endOfHomePath)
    for (path, isKnown) in [("/api\(end)", true), ("/home.json", false), ("/api\(end)?a=b", false)] {
      let place = ProviderLocation(endpoints: [.homeTimeline: try RequestURL("https://social.example\(path)")])
      let twitter = try #require(try ProviderRegistry.named("twitter", at: place))
      #expect((twitter.traits(of: try TimelineName("mentions")) != nil) == isKnown, "\(path)")
    }
  }
}
