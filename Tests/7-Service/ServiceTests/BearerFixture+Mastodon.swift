import Bytes
import HTTP
import HomelineOAuth
import JSON
import Sandbox
import SandboxSupport
import Settings
import Storage
import StorageSQLite
import StorageTestSupport
import Testing
import Timeline

extension BearerFixture where Simulated == MastodonSandbox {
  /// Returns an account at a simulated server of the Mastodon family, with a token as after a login.
  /// - Parameters:
  ///   - keepPosts: the number of posts that the account keeps.
  ///   - limit: the number of requests that the server allows in five minutes.
  ///   - scopes: the scopes of the token, besides those for reading.
  ///   - callbackPort: the port of the redirect; 0 for a different one at each login.
  ///   - timelines: the account's timelines, besides home.
  convenience init(
    _ flavour: MastodonFlavour, keepPosts: Int = 40, limit: Int = 300, scopes: [String] = [],
    in store: StoreChoice = .standard, callbackPort: UInt16 = 0, timelines: [TimelineName] = []
  ) throws {
    try self.init(
      ofMastodon: MastodonSandbox(flavour, limit: limit), keepPosts: keepPosts, allowing: scopes, in: store,
      callbackPort: callbackPort, timelines: timelines)
  }
}

extension BearerFixture {
  /// Returns an account on any Mastodon-compatible server, with a token as after a login.
  /// - Parameter scopes: the scopes of the token in addition to those for the timeline.
  convenience init(
    ofMastodon simulated: Simulated, keepPosts: Int = 40, allowing scopes: [String] = [],
    in store: StoreChoice = .standard, callbackPort: UInt16 = 0, timelines: [TimelineName] = []
  ) throws {
    let reading = ["read:accounts", "read:statuses"]
    let scopes = reading + scopes.filter { !reading.contains($0) }
    try self.init(simulated, in: store, callbackPort: callbackPort) { address in
      var account = AccountSettings(
        name: AccountName("ann")!, provider: "mastodon", credentials: .selfRegistered,
        server: try RequestURL(address), refreshInterval: .seconds(60), keepPosts: keepPosts)
      if !timelines.isEmpty { account.ownTimelines = ([.home] + timelines).map(account.inherited) }
      return account
    }
    let now = time.now
    let form = [
      Parameter("client_name", "homeline"), Parameter("redirect_uris", OAuth2Flow.redirect),
      Parameter("scopes", scopes.joined(separator: " ")),
    ]
    let response = play { $0.response(to: .form("/api/v1/apps", form), at: now) }.response
    var texts: [String: String] = [:]
    var cursor = JSONCursor(response.body)
    try cursor.members { json, name in texts[name.text] = try json.stringOrSkip() }
    let (id, secret) = (try #require(texts["client_id"]), Secret(try #require(texts["client_secret"])))
    try storage.clients(at: "127.0.0.1:\(server.port)").store(
      Storage.RegisteredClient(redirect: OAuth2Flow.redirect, identifier: id, secret: secret, registeredAt: now))
    try authorise(
      as: OAuth2Client(identifier: id, secret: secret, authentication: .body),
      OAuth2Flow(
        authorize: "/oauth/authorize", token: "/oauth/token", scopes: scopes, usesPKCE: false))
  }
}
