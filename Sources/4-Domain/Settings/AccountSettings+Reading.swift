internal import OAuthValues

extension AccountSettings {
  static let keys =
    [
      "provider", "enabled", "consumer_key", "consumer_secret", "client_id", "client_secret", "scopes", "server",
      "issuer", "authorize_parameters", "client_authentication",
      "signature_method", "refresh_seconds", "keep_posts", "first_fill_posts", "budget", "confirm_above_usd",
      "endpoints",
      "require_callback_confirmation", "drive", "weibo",
    ] + publishingKeys + ["timelines"]

  /// Keys that have moved.
  private static let moved = ["posts_per_day": "moved into budget.posts_per_day"]

  /// Reads an account's settings. Returns nil if a problem makes this impossible. Other invalid values are reported and replaced with
  /// defaults, because a configuration with problems is not used anyway.
  /// - Parameter shared: the top-level values, which apply to all accounts.
  init?(
    _ member: ConfigurationTree.Member, providers: [String: ProviderDefaults], _ shared: SharedSettings,
    _ problems: inout Problems
  ) {
    let path = KeyedValues.join("accounts", member.name)
    let name = AccountName(member.name)
    if name == nil { problems.add("an account name must be \(AccountName.rule)", at: member.offset, path: path) }
    guard
      let values = KeyedValues(
        member.value, path: path, offset: member.offset, keys: Self.keys, refusals: Self.moved, &problems)
    else { return nil }
    let provider = Self.provider(values, providers, &problems)
    let provided = provider.flatMap { providers[$0] }
    let drive = DriveSettings(values, provider: provider, provided, &problems)
    let defaults = provided?.adjusted(to: drive)
    let credentials = AccountCredentials(values, provider: provider, defaults, &problems)
    let scheme = credentials?.scheme
    let method = Self.signatureMethod(values, scheme, &problems)
    let seconds = Self.refreshSeconds(values, provider: provider, defaults, &problems)
    let keepPosts = Self.posts("keep_posts", values, provider: provider, defaults, &problems)
    let firstFill = Self.posts("first_fill_posts", values, provider: provider, defaults, &problems)
    let budget = Self.budget(values, provider: provider, defaults, &problems)
    let confirmAbove = Self.confirmation(ofCosts: values, provider: provider, defaults, &problems)
    let isEnabled = values.boolean("enabled", &problems)
    let confirmation = Self.confirmation(values, scheme, &problems)
    let scopes = Scopes.list(values, &problems)
    let server = Self.server(values, provider: provider, defaults, &problems)
    let issuer = Self.issuer(values, provider: provider, defaults, &problems)
    let endpoints = Self.endpoints(values, provider: provider, defaults, scheme, &problems)
    Self.checkIssuer(endpoints, values, defaults, &problems)
    let publishing = Self.publishing(values, provider: provider, defaults, shared, &problems)
    let timelines = TimelineList(values, provider: provider, defaults, endpoints: endpoints, &problems)
    let oauth2 = OAuth2Settings(values, provider: provider, defaults, credentials, &problems)
    let weibo = WeiboSettings(values, provider: provider, &problems)
    guard let name, let provider, let credentials else { return nil }
    self.init(
      name: name, provider: provider, isEnabled: isEnabled ?? true, credentials: credentials, scopes: scopes,
      server: server, issuer: issuer,
      signatureMethod: method ?? defaults?.signatureMethod ?? ProgramDefaults.signatureMethod,
      refreshInterval: seconds.map { .seconds($0) } ?? defaults?.refreshInterval ?? ProgramDefaults.refreshInterval,
      keepPosts: keepPosts ?? defaults?.keepPosts,
      firstFillPosts: firstFill ?? defaults?.firstFillPosts, budget: budget, endpoints: endpoints,
      requiresCallbackConfirmation: confirmation ?? true)
    apply(publishing)
    confirmAboveMicroUSD = confirmAbove
    self.drive = drive
    self.oauth2 = oauth2
    self.weibo = weibo
    ownTimelines = timelines?.settings(of: self)
  }

  private static func provider(
    _ values: KeyedValues, _ providers: [String: ProviderDefaults], _ problems: inout Problems
  ) -> String? {
    let known = providers.keys.sorted()
    guard values.has("provider") else {
      values.note("missing (known: \(known.joined(separator: ", ")))", at: "provider", &problems)
      return nil
    }
    guard let name = values.string("provider", &problems) else { return nil }
    if providers[name] != nil { return name }
    values.note(
      "unknown provider \(DisplayText.quoted(name))" + DisplayText.suggestion(for: name, among: known)
        + " (known: \(known.joined(separator: ", ")))",
      at: "provider", &problems)
    return nil
  }

  private static func signatureMethod(
    _ values: KeyedValues, _ scheme: AuthorizationScheme?, _ problems: inout Problems
  ) -> SignatureMethod? {
    noteOfOAuth1("signature_method", values, scheme, &problems)
    guard let name = values.string("signature_method", &problems) else { return nil }
    if let method = SignatureMethod(named: name) { return method }
    let known = SignatureMethod.allCases.map(\.rawValue)
    values.note(
      "unknown method \(DisplayText.quoted(name))" + DisplayText.suggestion(for: name, among: known)
        + " (known: \(known.joined(separator: ", ")))",
      at: "signature_method", &problems)
    return nil
  }

  private static func confirmation(
    _ values: KeyedValues, _ scheme: AuthorizationScheme?, _ problems: inout Problems
  ) -> Bool? {
    noteOfOAuth1("require_callback_confirmation", values, scheme, &problems)
    return values.boolean("require_callback_confirmation", &problems)
  }

  /// Reports a key that would have no effect.
  private static func noteOfOAuth1(
    _ key: String, _ values: KeyedValues, _ scheme: AuthorizationScheme?, _ problems: inout Problems
  ) {
    guard values.has(key), scheme == .oauth2 || scheme == .selfRegistered else { return }
    values.note(
      "applies only to OAuth 1.0a, but this account uses OAuth 2.0: remove this setting", atKey: key, &problems)
  }
}

extension AccountSettings {
  /// The reason this account has no bearer token to print, with advice; nil if it can have one.
  package var whyNoBearerToken: String? {
    if drive?.needsLogin == false { return "\(name): the account has its own key, which needs no token" }
    return switch credentials.scheme {
    case .oauth2, .selfRegistered: nil
    case .oauth1:
      "\(name): the account uses OAuth 1.0a, whose requests are signed and contain no token to print; "
        + "use homeline sign METHOD URL --account \(name)"
    case .builtIn:
      "\(name): the provider \(provider) is part of homeline and uses OAuth 1.0a; it has no token to "
        + "print. To sign requests for other accounts, use homeline sign"
    }
  }
}
