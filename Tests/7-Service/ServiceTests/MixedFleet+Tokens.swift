import Bytes
import Folders
import HTTP
import HomelineOAuth
import JSON
import SandboxSupport
import Settings
import Storage
import StorageSQLite
import StorageTestSupport
import Time

@testable import Sandbox

extension MixedFleet {
  /// Gives each account a token.
  /// - Parameter age: how long ago an X account's token was issued.
  func authoriseAll(age: (AccountSettings) -> Duration) throws {
    let now = time.now
    let application = try registerAtMastodon()
    for account in accounts {
      let grant: Storage.TokenGrant
      let server: String
      switch account.provider {
      case "twitter":
        server = twitter.baseURL
        grant = .oauth1(
          try twitter.with { watched in
            Result {
              let token = try watched.simulated.provider.give(at: now)
              watched.note(token, of: account.name.text)
              return token
            }
          }.get())
      case "x":
        let provider = account.name.text.hasPrefix("x-") ? x : brief
        server = provider.baseURL
        let client =
          account.name.text == "x-0"
          ? OAuth2Client(
            identifier: XSandbox.confidentialClientID, secret: Secret(XSandbox.confidentialClientSecret),
            authentication: .basic) : XFixture.client
        grant = try give(at: provider, account, client, XFixture.flow, at: now - age(account))
      case "weibo":
        server = weibo.baseURL
        let client = OAuth2Client(
          identifier: WeiboSandbox.clientID, secret: Secret(WeiboSandbox.clientSecret), authentication: .body)
        let flow = OAuth2Flow(
          authorize: WeiboRoute.authorize.path, token: WeiboRoute.token.path, scopes: [], usesPKCE: false)
        grant = try give(at: weibo, account, client, flow, at: now)
      default:
        server = mastodon.baseURL
        let flow = OAuth2Flow(
          authorize: "/oauth/authorize", token: "/oauth/token", scopes: ["read:accounts", "read:statuses"])
        grant = try give(at: mastodon, account, application, flow, at: now)
      }
      try StoredToken(
        of: SandboxUser.id, at: server, account, grant, authorisedAt: now
      ).put(into: storage.tokens(of: account.name), at: now)
    }
  }

  private func give<Simulated: SimulatedProvider>(
    at server: SandboxServer<WatchedProvider<Simulated>>, _ account: AccountSettings, _ client: OAuth2Client,
    _ flow: OAuth2Flow, at moment: Timestamp
  ) throws -> Storage.TokenGrant {
    let issued = try server.with { watched in
      Result {
        let issued = try watched.simulated.give(client, flow, at: moment)
        watched.note(issued, of: account.name.text, at: moment)
        return issued
      }
    }.get()
    return StoredToken(
      issued, of: "", at: "", account, client: client.identifier, issuedAt: moment, receivedAt: moment
    ).grant
  }

  /// Registers this program at the server, as a first login would.
  private func registerAtMastodon() throws -> OAuth2Client {
    let now = time.now
    let response = mastodon.with { watched in
      watched.simulated.response(
        to: .form(
          "/api/v1/apps",
          [
            Parameter("client_name", "homeline"), Parameter("redirect_uris", OAuth2Flow.redirect),
            Parameter("scopes", "read:accounts read:statuses"),
          ]), at: now)
    }.response
    let texts = try Self.texts(response.body)
    guard let id = texts["client_id"], let secret = texts["client_secret"].map({ Secret($0) }) else {
      throw NothingGiven()
    }
    try storage.clients(at: "127.0.0.1:\(mastodon.port)").store(
      Storage.RegisteredClient(redirect: OAuth2Flow.redirect, identifier: id, secret: secret, registeredAt: now))
    return OAuth2Client(identifier: id, secret: secret, authentication: .body)
  }

  private static func texts(_ json: [UInt8]) throws -> [String: String] {
    var texts: [String: String] = [:]
    var cursor = JSONCursor(json)
    try cursor.members { json, name in
      if try json.peek() == .string { texts[name.text] = try json.string() } else { try json.skip() }
    }
    return texts
  }
}
