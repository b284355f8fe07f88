internal import HomelineOAuth
internal import Sandbox

/// What a developer has to know of a simulated provider: its addresses, and the keys of the application that it knows.
struct SandboxDescription {
  private let kind: SandboxKind
  private let base: String
  private let redirects: [String]

  /// - Parameter base: without a slash at the end.
  init(_ kind: SandboxKind, base: String, redirects: [String]) {
    self.kind = kind
    self.base = base
    self.redirects = redirects
  }

  /// A line for each, `name: value`.
  var text: String {
    let width = lines.map(\.0.count).max() ?? 0
    return lines.map { name, value in
      "\(name):\(String(repeating: " ", count: width - name.count + 1))\(value)\n"
    }.joined()
  }

  private var lines: [(String, String)] {
    [("provider", kind.rawValue), ("server", base)] + particulars + [("user", "@mira_demo, who presses Authorise")]
  }

  private var particulars: [(String, String)] {
    switch kind {
    case .twitter, .gnuSocial:
      let consumer = SandboxProvider.consumer
      return [
        ("request token", "\(base)/oauth/request_token"), ("authorize", "\(base)/oauth/authorize"),
        ("access token", "\(base)/oauth/access_token"),
        ("home timeline", "\(base)/1.1/statuses/home_timeline.json"),
        ("consumer key", consumer.identifier),
        ("consumer secret", consumer.secret.withExposed { String(decoding: $0, as: UTF8.self) }),
        ("signature", "OAuth 1.0a (RFC 5849): HMAC-SHA1, HMAC-SHA256, HMAC-SHA512 or PLAINTEXT"),
      ]
    case .x:
      return [
        ("authorize", "\(base)/i/oauth2/authorize"), ("token", "\(base)/2/oauth2/token"),
        ("home timeline", "\(base)/2/users/ID/timelines/reverse_chronological"),
        ("client id", "\(XSandbox.publicClientID) (public: PKCE and no secret)"),
        ("client id", "\(XSandbox.confidentialClientID) (confidential)"),
        ("client secret", XSandbox.confidentialClientSecret),
      ] + registered(XSandbox.scopes)
    case .weibo:
      return [
        ("authorize", "\(base)/oauth2/authorize"), ("token", "\(base)/oauth2/access_token"),
        ("home timeline", "\(base)/2/statuses/home_timeline.json"), ("client id", WeiboSandbox.clientID),
        ("client secret", WeiboSandbox.clientSecret),
      ] + registered(WeiboSandbox.scopes)
    case .mastodon, .goToSocial, .snac:
      return [
        ("registration", "\(base)/api/v1/apps"), ("authorize", "\(base)/oauth/authorize"),
        ("token", "\(base)/oauth/token"), ("home timeline", "\(base)/api/v1/timelines/home"),
      ]
    case .oauth2:
      return [
        ("metadata", "\(base)/.well-known/oauth-authorization-server"), ("authorize", "\(base)/oauth/authorize"),
        ("token", "\(base)/oauth/token"), ("device", "\(base)/oauth/device_authorization"),
        ("userinfo", "\(base)/userinfo"),
        ("client id", "\(OAuth2Sandbox.publicClientID) (public: PKCE and no secret)"),
        ("client id", "\(OAuth2Sandbox.confidentialClientID) (confidential)"),
        ("client secret", OAuth2Sandbox.confidentialClientSecret),
      ] + registered(OAuth2Sandbox.scopes)
    }
  }

  private func registered(_ scopes: [String]) -> [(String, String)] {
    [("scopes", scopes.joined(separator: " "))]
      + redirects.map { ("redirect URI", "\($0) (any port, where its host is a loopback address)") }
  }
}
