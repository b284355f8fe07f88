import Accounts
import Dispatch
import Folders
import Platform
import SandboxSupport
import Service
import Settings
import Storage
import StorageSQLite
import TestSupport
import Testing
import Time
import Timeline

@testable import Sandbox

/// One service with accounts of all kinds, and one simulated provider of each kind. All use a clock that the test moves.
///
/// Each account has its own token, and all tokens belong to the same user.
final class MixedFleet: OnSimulatedTime {
  /// The number of accounts of each kind.
  struct Counts {
    var twitter: Int
    /// X accounts whose tokens are valid for two hours. The first account belongs to a separate application.
    var x: Int
    /// X accounts whose tokens are valid for ten minutes.
    var brief: Int
    var weibo: Int
    /// Akkoma accounts, whose tokens are valid for ten minutes.
    var mastodon: Int
  }

  /// The number of requests that X and Twitter allow per token in 15 minutes.
  static let limit = 3
  static let window = Duration.seconds(900)

  let folder: TemporaryFolder
  let time: SimulatedTime
  let accountManager: AccountManager
  let layout: FileLayout
  let storage: any StorageProvider
  let accounts: [AccountSettings]
  let twitter: SandboxServer<WatchedProvider<TwitterSandbox>>
  let x: SandboxServer<WatchedProvider<XSandbox>>
  let brief: SandboxServer<WatchedProvider<XSandbox>>
  let weibo: SandboxServer<WatchedProvider<WeiboSandbox>>
  let mastodon: SandboxServer<WatchedProvider<MastodonSandbox>>

  /// - Parameters:
  ///   - mastodon: the server of the Mastodon accounts.
  ///   - interval: the interval of these accounts; `nil` for the usual one.
  init(
    _ counts: Counts, mastodon simulated: MastodonSandbox = MastodonSandbox(.akkoma), every interval: Duration? = nil
  ) throws {
    let (folder, time) = (TemporaryFolder(), SimulatedTime())
    (self.folder, self.time) = (folder, time)
    let folders = try #require(BaseDirectories(environment: ["HOME": folder.path]))
    layout = FileLayout(folders)
    storage = StoreChoice.standard.provider(layout)
    var policy = SandboxPolicy()
    (policy.rateLimit, policy.window) = (Self.limit, Self.window)
    func serve<Simulated: SimulatedProvider>(_ simulated: Simulated) throws -> SandboxServer<WatchedProvider<Simulated>>
    {
      try SandboxServer(WatchedProvider(simulated), clock: time.wall)
    }
    twitter = try serve(
      TwitterSandbox(key: try #require(SandboxKey(bytes: [UInt8](0..<32))), policy: policy))
    x = try serve(XSandbox(redirects: [OAuth2Flow.redirect], policy: policy))
    var short = XSandbox(redirects: [OAuth2Flow.redirect], policy: policy)
    short.oauth2.policy.accessLife = .seconds(600)
    brief = try serve(short)
    // Weibo counts requests by user, and all these accounts belong to the same user.
    var many = WeiboSandbox(redirects: [OAuth2Flow.redirect])
    many.quirks.requestsPerDay = 100 * counts.weibo
    weibo = try serve(many)
    mastodon = try serve(simulated)
    var accounts: [AccountSettings] = []
    for number in 0..<counts.twitter { accounts.append(try .twitter("twitter-\(number)", at: twitter.baseURL)) }
    for number in 0..<counts.x {
      accounts.append(try .x("x-\(number)", at: x.baseURL, isPaidForAlone: number == 0))
    }
    for number in 0..<counts.brief { accounts.append(try .x("brief-\(number)", at: brief.baseURL)) }
    for number in 0..<counts.weibo { accounts.append(try .weibo("weibo-\(number)", at: weibo.baseURL)) }
    for number in 0..<counts.mastodon {
      var account = try AccountSettings.mastodon("mastodon-\(number)", at: mastodon.baseURL)
      account.refreshInterval = interval ?? account.refreshInterval
      accounts.append(account)
    }
    self.accounts = accounts
    accountManager = AccountManager(
      configuration: Configuration(callback: CallbackSettings(port: 0), accounts: accounts), layout: layout,
      storage: storage,
      folders: folders, environment: [:], userAgent: "homeline-test", clocks: time.clocks, log: .silent)
  }

  /// All requests that the providers have received, by account.
  var visits: [String: [Visit]] {
    let all = twitter.visits() + x.visits() + brief.visits() + weibo.visits() + mastodon.visits()
    return Dictionary(grouping: all) { $0.account ?? "nobody" }.mapValues { $0.sorted { $0.at < $1.at } }
  }

  /// The expiry times of the issued tokens.
  var ends: [String: Timestamp] {
    x.with { $0.ends }.merging(brief.with { $0.ends }) { $1 }.merging(mastodon.with { $0.ends }) { $1 }
  }

  func state(of account: AccountSettings) throws -> AccountState {
    try #require(try storage.openForReading(.home(of: account.name), isSnapshot: false)).state()
  }

  func close() async {
    await withCheckedContinuation { done in accountManager.shutDown { done.resume() } }
    await twitter.stopAndWait()
    await x.stopAndWait()
    await brief.stopAndWait()
    await weibo.stopAndWait()
    await mastodon.stopAndWait()
  }
}

extension SandboxServer {
  fileprivate func visits<Simulated>() -> [Visit] where Provider == WatchedProvider<Simulated> { with { $0.visits } }
}
