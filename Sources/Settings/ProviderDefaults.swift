package import HomelineOAuth

/// What the configuration has to know of a provider: what an account may say, and what holds when it does not.
package struct ProviderDefaults: Sendable, Hashable {
  /// Whether a key has to stand, may stand, or must not.
  package enum Need: Sendable, Hashable {
    case required, optional, refused
  }

  /// The shortest interval that a provider is asked at, and why no shorter one is taken.
  package struct PollFloor: Sendable, Hashable {
    package var seconds: Int64
    /// Goes on behind the provider's name and a colon.
    package var reason: String

    package init(seconds: Int64, reason: String) {
      self.seconds = seconds
      self.reason = reason
    }
  }

  /// How an account can be authorised; never empty.
  package var schemes: [AuthorizationScheme]
  /// Whether a client of OAuth 2.0 needs its secret.
  package var needsClientSecret = false
  /// Whether the account says at which server it is, or which authorisation server gives its token.
  package var server = Need.refused
  package var issuer = Need.refused
  /// The names of the URLs that `endpoints` may override, for each scheme.
  package var endpoints: [AuthorizationScheme: [String]] = [:]
  /// Whether the account has to name every one of them: the provider has none of its own.
  package var requiresEndpoints = false
  /// Whether the redirect has to be the registered address to the letter, its port included.
  package var comparesRedirect = false
  /// Whether it has posts at all; one without only gives tokens.
  package var hasTimeline = true
  package var refreshInterval: Duration?
  package var pollFloor: PollFloor?
  package var keepPosts: Int?
  package var signatureMethod: SignatureMethod?
  /// How many posts an empty account takes at first; `nil` for as many as it keeps.
  package var firstFillPosts: Int?
  /// What it charges; `nil` where reading costs nothing, and then no account may have a budget.
  package var prices: Prices?
  /// What an account may spend when it does not say.
  package var budget = Budget()

  package init(schemes: [AuthorizationScheme]) { self.schemes = schemes }

  /// What the account has to give, for messages.
  var keysInWords: String {
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
