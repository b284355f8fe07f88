import HomelineOAuth
import Bytes
import Settings

@testable import Sandbox

/// Settings of accounts at simulated providers.
extension AccountSettings {
  static func twitter(_ name: String, at address: String) throws -> AccountSettings {
    let endpoints = [
      "request_token": TwitterRoute.requestToken, "authorize": .authorize, "access_token": .accessToken,
      "verify_credentials": .verifyCredentials, "home_timeline": .homeTimeline, "invalidate_token": .invalidateToken,
    ]
    return AccountSettings(
      name: AccountName(name)!, provider: "twitter",
      credentials: .oauth1(
        consumerKey: TwitterSandbox.consumer.identifier,
        consumerSecret: .literal(TwitterSandbox.consumer.secret)),
      refreshInterval: .seconds(240), keepPosts: 10,
      endpoints: try endpoints.mapValues { try RequestURL(address + $0.path) })
  }

  /// - Parameter isPaidForAlone: whether the account belongs to a separate application, which pays only for this account.
  static func x(_ name: String, at address: String, isPaidForAlone: Bool = false) throws -> AccountSettings {
    AccountSettings(
      name: AccountName(name)!, provider: "x",
      credentials: isPaidForAlone
        ? .oauth2(
          clientID: XSandbox.confidentialClientID, clientSecret: .literal(Secret(XSandbox.confidentialClientSecret)))
        : .oauth2(clientID: XSandbox.publicClientID, clientSecret: nil),
      refreshInterval: .seconds(240),
      keepPosts: 10, firstFillPosts: 10, endpoints: try XFixture.endpoints(at: address))
  }

  static func weibo(_ name: String, at address: String) throws -> AccountSettings {
    let endpoints: [String: WeiboRoute] = [
      "authorize": .authorize, "token": .token, "token_info": .tokenInfo, "users_show": .usersShow,
      "home_timeline": .homeTimeline, "revoke": .revocation,
    ]
    return AccountSettings(
      name: AccountName(name)!, provider: "weibo",
      credentials: .oauth2(
        clientID: WeiboSandbox.clientID, clientSecret: .literal(Secret(WeiboSandbox.clientSecret))),
      refreshInterval: .seconds(900), keepPosts: 10,
      endpoints: try endpoints.mapValues { try RequestURL(address + $0.path) })
  }

  /// Returns the settings of a Mastodon account. `authoriseAll` registers the application that all these accounts use.
  static func mastodon(_ name: String, at address: String) throws -> AccountSettings {
    AccountSettings(
      name: AccountName(name)!, provider: "mastodon", credentials: .selfRegistered, server: try RequestURL(address),
      refreshInterval: .seconds(600), keepPosts: 10)
  }
}
