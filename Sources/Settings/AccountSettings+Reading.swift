internal import HomelineOAuth

extension AccountSettings {
  package static let keys = [
    "provider", "enabled", "consumer_key", "consumer_secret", "signature_method", "refresh_seconds", "keep_posts",
    "first_fill_posts", "posts_per_day", "endpoints", "require_callback_confirmation",
  ]

  /// Keys that select OAuth 2.0. They are known, so that nobody looks for a slip of the hand.
  private static let oauth2Keys = ["client_id", "client_secret", "scopes", "server", "issuer"]

  /// Nil when there is a problem that leaves nothing to build; others are noted and replaced by defaults, since a
  /// configuration with problems is not used anyway.
  init?(_ member: ConfigurationTree.Member, providers: [String: ProviderDefaults], _ problems: inout Problems) {
    let path = KeyedValues.join("accounts", member.name)
    let name = AccountName(member.name)
    if name == nil { problems.add("an account's name is \(AccountName.rule)", at: member.offset, path: path) }
    guard
      let values = KeyedValues(
        member.value, path: path, offset: member.offset, keys: Self.keys, refusals: Self.refusals(for: member),
        &problems)
    else { return nil }
    let provider = Self.provider(values, providers, &problems)
    let defaults = provider.flatMap { providers[$0] }
    let credentials = AccountCredentials(values, provider: provider, defaults, &problems)
    let method = Self.signatureMethod(values, &problems)
    let seconds = values.integer("refresh_seconds", in: ProgramDefaults.refreshSeconds, &problems)
    let keepPosts = values.integer("keep_posts", in: ProgramDefaults.keepPostsRange, &problems)
    let firstFill = values.integer("first_fill_posts", in: ProgramDefaults.keepPostsRange, &problems)
    let postsPerDay = Self.postsPerDay(values, provider: provider, defaults, &problems)
    let isEnabled = values.boolean("enabled", &problems)
    let confirmation = values.boolean("require_callback_confirmation", &problems)
    let endpoints = Self.endpoints(values, provider: provider, defaults, &problems)
    guard let name, let provider, let credentials else { return nil }
    self.init(
      name: name, provider: provider, isEnabled: isEnabled ?? true, credentials: credentials,
      signatureMethod: method ?? defaults?.signatureMethod ?? ProgramDefaults.signatureMethod,
      refreshInterval: seconds.map { .seconds($0) } ?? defaults?.refreshInterval ?? ProgramDefaults.refreshInterval,
      keepPosts: keepPosts.map { Int($0) } ?? defaults?.keepPosts ?? ProgramDefaults.keepPosts,
      firstFillPosts: firstFill.map { Int($0) } ?? defaults?.firstFillPosts, postsPerDay: postsPerDay,
      endpoints: endpoints,
      requiresCallbackConfirmation: confirmation ?? true)
  }

  /// Why the keys of OAuth 2.0 are not taken.
  private static func refusals(for member: ConfigurationTree.Member) -> [String: String] {
    guard case .object(let list) = member.value.content else { return [:] }
    let rival = ["consumer_key", "consumer_secret"].first { key in list.contains { $0.name == key } }
    let reason =
      rival.map { "cannot stand beside \($0): an account uses OAuth 1.0a or OAuth 2.0, not both" }
      ?? "OAuth 2.0 comes with a later version; this one does OAuth 1.0a (consumer_key and consumer_secret)"
    return Dictionary(uniqueKeysWithValues: oauth2Keys.map { ($0, reason) })
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
      "unknown provider \(Shown.quoted(name))" + Shown.suggestion(for: name, among: known)
        + " (known: \(known.joined(separator: ", ")))",
      at: "provider", &problems)
    return nil
  }

  private static func signatureMethod(_ values: KeyedValues, _ problems: inout Problems) -> SignatureMethod? {
    guard let name = values.string("signature_method", &problems) else { return nil }
    if let method = SignatureMethod(named: name) { return method }
    let known = SignatureMethod.allCases.map(\.rawValue)
    values.note(
      "unknown method \(Shown.quoted(name))" + Shown.suggestion(for: name, among: known)
        + " (known: \(known.joined(separator: ", ")))",
      at: "signature_method", &problems)
    return nil
  }

  /// `null` lifts the limit. A number can not do that, so that nobody spends without end by a slip of the hand.
  private static func postsPerDay(
    _ values: KeyedValues, provider: String?, _ defaults: ProviderDefaults?, _ problems: inout Problems
  ) -> Int? {
    guard let provider, let defaults else { return nil }
    guard values.has("posts_per_day") else { return defaults.postsPerDay }
    guard defaults.postsPerDay != nil else {
      values.note("the provider \(provider) does not charge for posts: leave it out", at: "posts_per_day", &problems)
      return nil
    }
    if values.isNull("posts_per_day") { return nil }
    return values.integer("posts_per_day", in: ProgramDefaults.postsPerDayRange, &problems).map { Int($0) }
  }

  private static func endpoints(
    _ values: KeyedValues, provider: String?, _ defaults: ProviderDefaults?, _ problems: inout Problems
  ) -> [String: RequestURL] {
    guard let member = values["endpoints"] else { return [:] }
    // Of an unknown provider it is not known which endpoints it has.
    guard let provider, let defaults else { return [:] }
    if defaults.endpoints.isEmpty {
      problems.add(
        "the provider \(provider) has no endpoints to override", at: member.offset, path: values.path(of: "endpoints"))
      return [:]
    }
    guard
      let urls = KeyedValues(
        member.value, path: values.path(of: "endpoints"), offset: member.offset, keys: defaults.endpoints, &problems)
    else { return [:] }
    var endpoints: [String: RequestURL] = [:]
    for name in defaults.endpoints {
      guard let text = urls.string(name, &problems) else { continue }
      do throws(RequestURLError) {
        let url = try RequestURL(text)
        if !url.isHTTPS, !url.isLoopback {
          urls.note("plain http is for this machine only (127.0.0.1, [::1], localhost): use https", at: name, &problems)
        }
        endpoints[name] = url
      } catch { urls.note(error.description, at: name, &problems) }
    }
    return endpoints
  }
}
