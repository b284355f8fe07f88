internal import Time

/// The kinds of Mastodon-compatible servers.
package enum MastodonFlavour: String, Sendable, CaseIterable {
  /// Version 4.3 or later, which has metadata and PKCE, and names the issuer in authorisation responses.
  case mastodon
  /// A version before 4.3, which has no metadata, ignores PKCE and accepts only one redirect URI.
  case oldMastodon
  /// Ids are ULIDs, there is no `Retry-After`, and the port of a redirect URI must match.
  case goToSocial
  /// Access tokens last ten minutes, refresh tokens rotate, and ids are flake ids.
  case akkoma
  /// Version 2.75: errors have no body, ids are not ordered, `min_id` is not supported, and there are only two visibilities.
  case snac

  /// How the server implements OAuth 2.0.
  var policy: OAuth2Policy {
    var policy = OAuth2Policy()
    policy.clientAuthentications = [.basic, .body]
    policy.defaultScopes = ["read"]
    policy.codeLife = .seconds(600)
    policy.proofKey = .ignored
    policy.redirectMatch = .anyLoopbackPort
    switch self {
    case .mastodon:
      policy.proofKey = .honoured
      policy.sendsIssuer = true
      policy.issuerPath = "/"
    case .oldMastodon: break
    case .goToSocial: policy.redirectMatch = .exact
    case .akkoma:
      policy.redirectMatch = .exact
      policy.accessLife = .seconds(600)
      policy.refreshTokens = .always
      policy.rotation = .rotating
    case .snac:
      policy.redirectStatus = 303
      policy.echoesStateRaw = true
    }
    return policy
  }

  var version: String {
    switch self {
    case .mastodon: "4.5.2"
    case .oldMastodon: "4.2.10"
    case .goToSocial: "0.20.2+git-000000"
    case .akkoma: "2.7.2 (compatible; Akkoma 3.16.0-0-g0000000)"
    case .snac: "2.7.2 (not true; really snac/2.75)"
    }
  }

  /// The address of the source code in `/api/v2/instance`.
  var source: String {
    switch self {
    case .mastodon, .oldMastodon: "https://github.com/mastodon/mastodon"
    case .goToSocial: "https://codeberg.org/superseriousbusiness/gotosocial"
    case .akkoma: "https://akkoma.dev/AkkomaGang/akkoma"
    case .snac: ""
    }
  }

  var nodeInfo: NodeInfo {
    switch self {
    case .mastodon, .oldMastodon: NodeInfo(software: "mastodon", version: version)
    case .goToSocial: NodeInfo(software: "gotosocial", version: version)
    case .akkoma: NodeInfo(software: "akkoma", version: "3.16.0-0-g0000000")
    case .snac: NodeInfo(software: "snac", version: "2.75")
    }
  }

  /// Whether error responses have no body.
  var hasEmptyErrors: Bool { self == .snac }

  /// Whether a client can request the page just above a post (`min_id`).
  var pagesForward: Bool { self != .snac }

  /// The maximum number of posts on a page; `nil` for no limit.
  var longestPage: Int? { self == .snac ? nil : 40 }

  /// The number of notifications on a page without a limit in the request, and the maximum.
  var notificationsPage: (usual: Int, greatest: Int?) {
    switch self {
    case .mastodon, .oldMastodon: (40, 80)
    case .goToSocial, .akkoma: (20, 80)
    case .snac: (1, nil)
    }
  }

  /// The types of notifications that the server has.
  var notificationTypes: Set<SandboxEvent.Kind> {
    switch self {
    case .mastodon: Set(SandboxEvent.Kind.allCases)
    case .oldMastodon, .akkoma: [.mention, .status, .reblog, .follow, .followRequest, .favourite, .poll, .update]
    case .goToSocial: [.mention, .status, .reblog, .follow, .followRequest, .favourite, .poll]
    case .snac: [.mention, .reblog, .follow, .favourite]
    }
  }

  /// The form of the ids of posts.
  var postIDs: MastodonIDWriter.Form {
    switch self {
    case .mastodon, .oldMastodon: .decimal
    case .goToSocial: .ulid
    case .akkoma: .flake
    case .snac: .hexadecimal
    }
  }

  /// The form of the ids of notifications, lists, and marks.
  var smallIDs: MastodonIDWriter.Form { self == .goToSocial ? .ulid : .decimal }

  /// The maximum length of a post in characters. snac's is too high to be a limit in practice.
  var longestPost: Int {
    switch self {
    case .mastodon, .oldMastodon: 500
    case .goToSocial, .akkoma: 5_000
    case .snac: 100_000
    }
  }

  /// The number of characters that Mastodon counts for each address.
  static let addressLength = 23

  /// Returns the length of text, as the server counts it.
  func length(of text: String) -> Int {
    switch self {
    case .mastodon, .oldMastodon:
      text.split(separator: " ", omittingEmptySubsequences: false)
        .map { $0.hasPrefix("https://") || $0.hasPrefix("http://") ? Self.addressLength : $0.count }
        .reduce(-1) { $0 + $1 + 1 }
    case .akkoma: text.count
    case .goToSocial, .snac: text.unicodeScalars.count
    }
  }

  /// The names of the rate limit headers; `nil` if there are none.
  var limitHeaders: (limit: String, remaining: String, reset: String)? {
    switch self {
    case .mastodon, .oldMastodon, .akkoma: ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
    case .goToSocial: ("X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset")
    case .snac: nil
    }
  }

  /// The number of decimal places in a rate limit's reset time.
  var decimals: Int { self == .goToSocial ? 3 : 6 }
}
