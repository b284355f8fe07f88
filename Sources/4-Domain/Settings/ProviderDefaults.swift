package import OAuthValues
package import Timeline

/// The properties of a provider that concern the configuration: the keys that an account may have, and their defaults.
package struct ProviderDefaults: Sendable, Hashable {
  /// Whether a key is required, allowed or forbidden.
  package enum Need: Sendable, Hashable {
    case required, optional, refused
  }

  /// The shortest allowed interval between requests, and the reason for it.
  package struct PollFloor: Sendable, Hashable {
    package var seconds: Int64
    /// The reason. In messages, it follows the provider's name and a colon.
    package var reason: String

    init(seconds: Int64, reason: String) {
      self.seconds = seconds
      self.reason = reason
    }
  }

  /// The names and hosts that choose the provider if a user types them instead of a server, in lower case; empty for a provider without its
  /// own servers.
  package var serverNames: [String] = []
  /// How an account can be authorised; never empty.
  package var schemes: [AuthorizationScheme]
  /// Whether an OAuth 2.0 client needs its secret.
  package var needsClientSecret = false
  /// Whether the account specifies its server, or its authorisation server.
  package var server = Need.refused
  package var issuer = Need.refused
  /// The names of the URLs that `endpoints` may override, for each scheme.
  package var endpoints: [AuthorizationScheme: [String]] = [:]
  /// Whether the account must specify all endpoints, because the provider defines none.
  package var requiresEndpoints = false
  /// Whether the provider has its own addresses although accounts may set `issuer`.
  package var hasOwnServer = false
  /// Whether accounts may set how their OAuth 2.0 requests are made (``OAuth2Settings``).
  package var adjustsRequests = false
  /// Whether the redirect must be exactly the registered address, including its port.
  package var comparesRedirect = false
  /// The kinds of timelines that the provider offers; empty for a provider without posts, which only issues tokens.
  package var timelines: [TimelineName.Kind] = [.home]
  /// How the path of the endpoint `home_timeline` must end to show where the provider's other timelines are; `nil` if it does not matter.
  package var endOfHomePath: String?
  /// The reason this account has no timeline although other accounts of the provider have one; `nil` if no account has one.
  var timelineObjection: String?
  /// Whether the provider is a cloud drive for `homeline drive`. Its timeline consists of the changes to its files.
  package var isDrive = false
  package var refreshInterval: Duration?
  package var pollFloor: PollFloor?
  package var keepPosts: Int?
  package var signatureMethod: SignatureMethod?
  /// The number of posts that an empty account fetches first; `nil` for the program's default.
  package var firstFillPosts: Int?
  /// The prices; `nil` if reading is free and accounts may have no budget.
  package var prices: Prices?
  /// The default spending limits.
  package var budget = Budget()

  init(schemes: [AuthorizationScheme]) { self.schemes = schemes }

  /// Whether the provider has posts.
  package var hasTimeline: Bool { timelines.contains(.home) }

  /// The forms of the names of the timelines that the provider offers, for messages.
  var timelineForms: String { timelines.map(\.form).joined(separator: ", ") }

  /// The keys that an account needs, for messages.
  var requiredKeys: String {
    let secret = needsClientSecret ? " and client_secret" : ""
    let ways = schemes.map { scheme in
      switch scheme {
      case .builtIn: "no keys"
      case .oauth1: "consumer_key and consumer_secret"
      case .oauth2: "client_id" + secret
      case .selfRegistered: "none of them"
      }
    }
    return ways.joined(separator: ", or ")
  }
}

extension ProviderDefaults {
  /// The providers in this version. Their endpoints are defined elsewhere, because commands that load no network library also check the
  /// configuration.
  package static let known: [String: ProviderDefaults] = [
    "sandbox": sandbox, "twitter": twitter, "x": x, "weibo": weibo, "mastodon": mastodon,
    "oauth1": oauth1, "oauth2": oauth2, "gokuai": gokuai,
    "google": mail("google", "gmail.com", needsSecret: true),
    "microsoft": mail("microsoft", "outlook.com", "hotmail.com"), "fastmail": mail("fastmail", "fastmail.com"),
  ]

  /// The provider by each of its server names.
  package static let byServerName = Dictionary(
    uniqueKeysWithValues: known.flatMap { provider, defaults in defaults.serverNames.map { ($0, provider) } })

  /// The timelines of Twitter's v1.1 API.
  private static let timelinesOfTwitter: [TimelineName.Kind] = [.home, .mentions, .list, .user, .likes]

  private static var sandbox: ProviderDefaults {
    var sandbox = ProviderDefaults(schemes: [.builtIn])
    sandbox.timelines = timelinesOfTwitter
    return sandbox
  }

  private static var twitter: ProviderDefaults {
    var twitter = ProviderDefaults(schemes: [.oauth1])
    twitter.timelines = timelinesOfTwitter
    twitter.endOfHomePath = "/statuses/home_timeline.json"
    twitter.endpoints[.oauth1] = [
      "request_token", "authorize", "access_token", "verify_credentials", "home_timeline", "invalidate_token",
    ]
    return twitter
  }

  /// The interval is 15 minutes, because some plans allow no more requests. A dollar a day buys 200 posts, or fewer if X also charges for
  /// their authors.
  private static var x: ProviderDefaults {
    var x = ProviderDefaults(schemes: [.oauth1, .oauth2])
    x.serverNames = ["x", "x.com", "twitter", "twitter.com"]
    x.endpoints[.oauth1] = [
      "request_token", "authorize", "access_token", "users_me", "home_timeline", "invalidate_token",
    ]
    x.endpoints[.oauth2] = ["authorize", "token", "revoke", "users_me", "home_timeline"]
    x.comparesRedirect = true
    x.refreshInterval = .seconds(900)
    x.pollFloor = PollFloor(
      seconds: 60,
      reason: "some plans allow one request in 15 minutes, and posts cost the same whenever they are fetched")
    x.firstFillPosts = 50
    x.prices = .x
    x.budget = Budget(postsPerDay: 200, microUSDPerDay: 1_000_000)
    return x
  }

  private static var weibo: ProviderDefaults {
    var weibo = ProviderDefaults(schemes: [.oauth2])
    weibo.serverNames = ["weibo", "weibo.com", "weibo.cn", "api.weibo.com"]
    weibo.needsClientSecret = true
    weibo.endpoints[.oauth2] = ["authorize", "token", "token_info", "users_show", "home_timeline", "revoke"]
    weibo.comparesRedirect = true
    weibo.refreshInterval = .seconds(900)
    weibo.pollFloor = PollFloor(
      seconds: 900, reason: "it allows 100 requests per user per day and blocks clients that exceed this")
    return weibo
  }

  private static var mastodon: ProviderDefaults {
    var mastodon = ProviderDefaults(schemes: [.oauth2, .selfRegistered])
    mastodon.timelines = [.home, .notifications, .mentions, .list, .tag, .user, .bookmarks, .likes]
    mastodon.needsClientSecret = true
    mastodon.server = .required
    mastodon.refreshInterval = .seconds(60)
    mastodon.pollFloor = PollFloor(
      seconds: 30, reason: "all programs of a user share one limit, and most servers are run by volunteers")
    return mastodon
  }

  private static var oauth1: ProviderDefaults {
    var oauth1 = ProviderDefaults(schemes: [.oauth1])
    oauth1.endpoints[.oauth1] = ["request_token", "authorize", "access_token"]
    oauth1.requiresEndpoints = true
    oauth1.timelines = []
    return oauth1
  }

  private static var oauth2: ProviderDefaults {
    var oauth2 = ProviderDefaults(schemes: [.oauth2])
    oauth2.issuer = .optional
    oauth2.endpoints[.oauth2] = ["authorize", "token", "revoke", "device_authorization", "userinfo"]
    oauth2.timelines = []
    oauth2.adjustsRequests = true
    return oauth2
  }

  /// A known OAuth 2.0 server for mail programs.
  private static func mail(_ serverNames: String..., needsSecret: Bool = false) -> ProviderDefaults {
    var mail = oauth2
    mail.serverNames = serverNames
    mail.hasOwnServer = true
    mail.needsClientSecret = needsSecret
    return mail
  }

  private static var gokuai: ProviderDefaults {
    var gokuai = ProviderDefaults(schemes: [.oauth2])
    gokuai.needsClientSecret = true
    gokuai.server = .optional
    gokuai.isDrive = true
    gokuai.refreshInterval = .seconds(300)
    return gokuai
  }
}
