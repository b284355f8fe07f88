internal import HomelineOAuth

extension AccountSettings {
  /// The addresses that replace the provider's own.
  static func endpoints(
    _ values: KeyedValues, provider: String?, _ defaults: ProviderDefaults?, _ scheme: AuthorizationScheme?,
    _ problems: inout Problems
  ) -> [String: RequestURL] {
    if let defaults, defaults.requiresEndpoints, !values.has("endpoints") {
      let names = defaults.schemes.compactMap { defaults.endpoints[$0] }.joined()
      values.note("missing: give \(names.joined(separator: ", "))", at: "endpoints", &problems)
    }
    // Of an unknown provider it is not known which endpoints it has.
    guard let member = values["endpoints"], let provider, let defaults else { return [:] }
    if defaults.endpoints.isEmpty {
      problems.add(
        "the provider \(provider) has no endpoints to override", at: member.offset, path: values.path(of: "endpoints"))
      return [:]
    }
    let (names, refusals) = names(defaults, scheme)
    guard
      let urls = KeyedValues(
        member.value, path: values.path(of: "endpoints"), offset: member.offset, keys: names, refusals: refusals,
        &problems)
    else { return [:] }
    var endpoints: [String: RequestURL] = [:]
    for name in names {
      if defaults.requiresEndpoints, !urls.has(name) { urls.note("missing", at: name, &problems) }
      guard let text = urls.string(name, &problems) else { continue }
      do throws(RequestURLError) {
        let url = try RequestURL(text)
        if let fault = SecureAddress.fault(of: url) { urls.note(fault, at: name, &problems) }
        endpoints[name] = url
      } catch { urls.note(error.description, at: name, &problems) }
    }
    return endpoints
  }

  /// The names that the account's scheme has, and why those of another one are not taken. Where the scheme is not known, all are.
  private static func names(
    _ defaults: ProviderDefaults, _ scheme: AuthorizationScheme?
  ) -> (names: [String], refusals: [String: String]) {
    var all: [String] = []
    for scheme in defaults.schemes { all += (defaults.endpoints[scheme] ?? []).filter { !all.contains($0) } }
    guard let scheme, let names = defaults.endpoints[scheme] else { return (all, [:]) }
    let foreign = all.filter { !names.contains($0) }
    let reason = "not an endpoint of \(scheme.protocolName), which this account uses"
    return (names, Dictionary(uniqueKeysWithValues: foreign.map { ($0, reason) }))
  }
}
