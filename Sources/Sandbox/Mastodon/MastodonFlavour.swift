internal import CivilTime

/// Which server of Mastodon's API is played.
package enum MastodonFlavour: String, Sendable, CaseIterable {
  /// 4.3 and later: describes itself, knows PKCE, says who answers.
  case mastodon
  /// Before: no metadata, PKCE not looked at, one redirect address.
  case oldMastodon
  /// ULIDs; limits without `Retry-After`; the redirect address with its port.
  case goToSocial
  /// Tokens of ten minutes and rotating refresh tokens; flake ids.
  case akkoma
  /// Refusals without a body, ids that say nothing of their order, `min_id` not understood.
  case snac

  /// How its OAuth 2.0 departs from the standards.
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
    case .snac: "2.7.2 (not true; really snac/2.85)"
    }
  }

  /// Whether a refusal is told by its status alone.
  var isWordless: Bool { self == .snac }

  /// Whether a page can be asked for that begins just above a post.
  var pagesForward: Bool { self != .snac }

  /// The most posts of a page; nil where there is no bound.
  var longestPage: Int? { self == .snac ? nil : 40 }

  /// How it names its limits; nil where it tells none.
  var limitHeaders: (limit: String, remaining: String, reset: String)? {
    switch self {
    case .mastodon, .oldMastodon, .akkoma: ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
    case .goToSocial: ("X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset")
    case .snac: nil
    }
  }

  /// How many decimals the moment has that a limit ends at.
  var decimals: Int { self == .goToSocial ? 3 : 6 }
}
