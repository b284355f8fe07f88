import Bytes
import HomelineOAuth
import Testing
import Time

@testable import Providers

/// The OAuth 2.0 servers for mail programs whose addresses are known.
@Suite struct KnownServerTests {
  private func provider(
    _ name: String, change: (inout ProviderLocation) throws -> Void = { _ in }
  ) throws -> (provider: any Provider, profile: OAuth2Profile) {
    var place = ProviderLocation(.oauth2)
    try change(&place)
    let provider = try #require(try ProviderRegistry.named(name, at: place))
    guard case .oauth2(let profile) = provider.authorization else {
      throw RequestURLError.unsupportedScheme
    }
    return (provider, profile)
  }

  @Test(
    "an account at a known server needs no addresses",
    arguments: [
      ("google", "https://accounts.google.com/o/oauth2/v2/auth", "https://oauth2.googleapis.com/token"),
      (
        "microsoft", "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
        "https://login.microsoftonline.com/common/oauth2/v2.0/token"
      ),
      ("fastmail", "https://api.fastmail.com/oauth/authorize", "https://api.fastmail.com/oauth/refresh"),
    ])
  func addresses(name: String, authorize: String, token: String) throws {
    let (provider, profile) = try provider(name)
    #expect(provider.name == name && !provider.hasTimeline)
    #expect(profile.endpoints?.authorize?.text == authorize && profile.endpoints?.token.text == token)
    // Nothing is requested before the login.
    #expect(profile.metadata == nil && profile.usesPKCE)
    #expect(!profile.scopes.isEmpty)
    #expect(provider.server == profile.endpoints?.token.origin)
  }

  @Test("an account's own issuer or endpoints replace all known addresses")
  func ownServer() throws {
    let issuer = "https://login.microsoftonline.com/9f1c2e4a-0000-4000-8000-5f6b7c8d9e0f/v2.0"
    let tenant = try provider("microsoft") { $0.issuer = issuer }
    #expect(tenant.profile.endpoints == nil && tenant.profile.metadata?.issuer == issuer)
    #expect(tenant.provider.server == issuer)
    #expect(tenant.profile.scopes.contains("offline_access"))
    let token = try RequestURL("https://mail.example/token")
    let elsewhere = try provider("google") { $0.endpoints = [.token: token] }
    #expect(elsewhere.profile.endpoints == OAuth2Endpoints(token: token))
  }

  @Test("an account's authorisation parameters are added to the provider's own, or replace those with the same name")
  func parameters() throws {
    #expect(
      try provider("google").profile.authorizeParameters
        == [Parameter("access_type", "offline"), Parameter("prompt", "consent")])
    let changed = try provider("google") {
      $0.authorizeParameters = ["prompt": "select_account", "login_hint": "mira@example.org"]
    }
    #expect(
      changed.profile.authorizeParameters == [
        Parameter("access_type", "offline"), Parameter("login_hint", "mira@example.org"),
        Parameter("prompt", "select_account"),
      ])
    #expect(try provider("oauth2") { $0.issuer = "https://as.example" }.profile.authorizeParameters.isEmpty)
  }

  @Test(
    "the 7-day limit explains a login's end only if the login reached it and no token was issued afterwards",
    arguments: [
      (days: 7.01, lastIssue: 6.99, explains: true), (30, 6.5, true), (30, 7, true), (7, 6.9, true), (6.9, 6.8, false),
      (2, 1.9, false), (30, 29, false), (8, 7.5, false),
    ])
  func limit(days: Double, lastIssue: Double, explains: Bool) throws {
    let limit = try #require(try provider("google").provider.traits.loginLimit)
    let login = Timestamp(seconds: 1_800_000_000)
    let text = limit.explanation(
      ofLoginAt: login, lastIssue: login + .seconds(lastIssue * 86_400), end: login + .seconds(days * 86_400))
    #expect((text != nil) == explains)
    #expect(text?.contains("7 days while the publishing status of the client's app is Testing") != false)
  }
}
