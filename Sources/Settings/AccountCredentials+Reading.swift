extension AccountCredentials {
  /// Nil when they are missing or wrong, which is noted, or when the provider is unknown.
  init?(_ values: KeyedValues, provider: String?, _ defaults: ProviderDefaults?, _ problems: inout Problems) {
    let key = Self.consumerKey(values, &problems)
    let secret = values["consumer_secret"].flatMap {
      SecretSource($0.value, path: values.path(of: "consumer_secret"), offset: $0.offset, &problems)
    }
    guard let provider, let defaults else { return nil }
    guard defaults.needsKeys else {
      for name in ["consumer_key", "consumer_secret"] {
        guard let member = values[name] else { continue }
        problems.add(
          "the provider \(provider) has its own keys: leave it out", at: member.offset, path: values.path(of: name))
      }
      self = .builtIn
      return
    }
    // An account with keys of OAuth 2.0 has had its answer already.
    if !values.has("client_id") {
      for name in ["consumer_key", "consumer_secret"] where !values.has(name) {
        values.note("missing: the provider \(provider) needs it", at: name, &problems)
      }
    }
    guard let key, let secret else { return nil }
    self = .oauth1(consumerKey: key, consumerSecret: secret)
  }

  private static func consumerKey(_ values: KeyedValues, _ problems: inout Problems) -> String? {
    guard let key = values.string("consumer_key", &problems) else { return nil }
    if let fault = SecretSource.fault(of: key) { values.note(fault, at: "consumer_key", &problems) }
    return key
  }
}
