internal import OAuthValues

extension AccountCredentials {
  private static let oauth1Keys = ["consumer_key", "consumer_secret"]
  private static let oauth2Keys = ["client_id", "client_secret"]

  /// Returns nil if the provider is unknown, or if keys are missing or invalid. These problems are reported.
  init?(_ values: KeyedValues, provider: String?, _ defaults: ProviderDefaults?, _ problems: inout Problems) {
    // All keys are checked, even if one is invalid.
    let key = Self.identifier("consumer_key", values, &problems)
    let secret = Self.secret("consumer_secret", values, &problems)
    let clientID = Self.identifier("client_id", values, &problems)
    let clientSecret = Self.secret("client_secret", values, &problems)
    guard let provider, let defaults else {
      Self.noteRivals(values, &problems)
      return nil
    }
    guard let scheme = Self.scheme(values, defaults) else {
      problems.add(
        "keys are missing: the provider \(provider) requires \(defaults.requiredKeys)", at: values.offset,
        path: values.path
      )
      return nil
    }
    if Self.noteForeign(values, scheme, provider, defaults, &problems) { return nil }
    func needs(_ key: String) { values.note("missing: the provider \(provider) needs it", at: key, &problems) }
    switch scheme {
    case .builtIn: self = .builtIn
    case .selfRegistered: self = .selfRegistered
    case .oauth1:
      for name in Self.oauth1Keys where !values.has(name) { needs(name) }
      guard let key, let secret else { return nil }
      self = .oauth1(consumerKey: key, consumerSecret: secret)
    case .oauth2:
      let needed = defaults.needsClientSecret ? Self.oauth2Keys : ["client_id"]
      for name in needed where !values.has(name) { needs(name) }
      guard let clientID, clientSecret != nil || !values.has("client_secret") && !defaults.needsClientSecret else {
        return nil
      }
      self = .oauth2(clientID: clientID, clientSecret: clientSecret)
    }
  }

  /// Returns the scheme that the account's keys select; nil if the provider supports several schemes and no key is set.
  private static func scheme(_ values: KeyedValues, _ defaults: ProviderDefaults) -> AuthorizationScheme? {
    let known = defaults.schemes
    if known.contains(.oauth1), oauth1Keys.contains(where: values.has) { return .oauth1 }
    if known.contains(.oauth2), oauth2Keys.contains(where: values.has) { return .oauth2 }
    if known.contains(.selfRegistered) { return .selfRegistered }
    return known.count == 1 ? known.first : nil
  }

  /// Reports keys that belong to a different scheme.
  /// - Returns: true if missing keys need not be reported, because the user has chosen an unsupported scheme.
  private static func noteForeign(
    _ values: KeyedValues, _ scheme: AuthorizationScheme, _ provider: String, _ defaults: ProviderDefaults,
    _ problems: inout Problems
  ) -> Bool {
    let foreign =
      switch scheme {
      case .builtIn: oauth1Keys + oauth2Keys + ["scopes"]
      case .oauth1: oauth2Keys + ["scopes"]
      case .oauth2, .selfRegistered: oauth1Keys
      }
    if scheme == .builtIn {
      for name in foreign where values.has(name) {
        values.note("the provider \(provider) has its own keys: remove this setting", atKey: name, &problems)
      }
      return false
    }
    if scheme == .oauth1, noteRivals(values, &problems) { return false }
    let found = foreign.filter(values.has)
    for name in found {
      values.note(
        "the provider \(provider) supports only \(scheme.version.name): it requires \(defaults.requiredKeys)",
        atKey: name,
        &problems)
    }
    return !found.isEmpty
  }

  /// Reports the OAuth 2.0 keys of an account that also has OAuth 1.0a keys.
  @discardableResult
  private static func noteRivals(_ values: KeyedValues, _ problems: inout Problems) -> Bool {
    guard let rival = oauth1Keys.first(where: values.has) else { return false }
    for name in oauth2Keys + ["scopes"] where values.has(name) {
      values.note(
        "cannot be combined with \(rival): an account uses OAuth 1.0a or OAuth 2.0, not both", atKey: name, &problems)
    }
    return true
  }

  private static func identifier(_ name: String, _ values: KeyedValues, _ problems: inout Problems) -> String? {
    guard let text = values.string(name, &problems) else { return nil }
    if let fault = SecretSource.fault(of: text) { values.note(fault, at: name, &problems) }
    return text
  }

  private static func secret(_ name: String, _ values: KeyedValues, _ problems: inout Problems) -> SecretSource? {
    values[name].flatMap { SecretSource($0.value, path: values.path(of: name), offset: $0.offset, &problems) }
  }
}
