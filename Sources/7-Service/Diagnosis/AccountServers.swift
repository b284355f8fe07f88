internal import HomelineOAuth
internal import Accounts
internal import Bytes
internal import Providers
internal import Settings

/// The servers that the enabled accounts use.
struct AccountServers {
  /// The maximum number of servers that one run contacts.
  static let limit = 30

  /// The origins of the servers without duplicates, in the order of the accounts; at most ``limit`` of them.
  let origins: [RequestURL]
  /// The number of servers beyond the limit.
  let rest: Int

  init(_ context: DiagnosticContext) {
    var seen: Set<String> = []
    let all = context.enabledAccounts.flatMap(Self.origins).filter { seen.insert($0.text).inserted }
    origins = Array(all.prefix(Self.limit))
    rest = all.count - origins.count
  }

  /// A warning if there are too many servers to contact them all.
  var limitFinding: [Finding] {
    rest == 0 ? [] : [.warning("\(rest) more servers were not checked; one run checks at most \(Self.limit)")]
  }

  /// Returns the origins of an account's timeline server and authorisation servers. A sandbox account has none, because the service runs
  /// the sandbox on this machine.
  private static func origins(of account: AccountSettings) -> [RequestURL] {
    guard account.credentials != .builtIn,
      let provider = (try? ProviderRegistry.named(account.provider, at: ProviderLocation(of: account))) ?? nil
    else { return [] }
    let timeline = provider.hasTimeline ? try? RequestURL(provider.host) : nil
    let authorization: [RequestURL?] =
      switch provider.authorization {
      case .oauth1(let endpoints): [endpoints.requestToken, endpoints.accessToken]
      case .oauth2(let profile):
        [profile.metadata.flatMap { try? RequestURL($0.issuer) }, profile.endpoints?.token] + profile.overrides.all
      }
    return ([timeline] + authorization).compactMap { url in url.flatMap { try? RequestURL($0.origin + "/") } }
  }
}
