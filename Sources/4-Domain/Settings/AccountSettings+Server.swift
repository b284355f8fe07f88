internal import OAuthValues
internal import Bytes

/// An account's server, or its authorisation server.
extension AccountSettings {
  /// Returns the origin of the server, given as `social.example` or as its https address. Its name may contain non-ASCII letters.
  static func server(
    _ values: KeyedValues, provider: String?, _ defaults: ProviderDefaults?, _ problems: inout Problems
  ) -> RequestURL? {
    guard
      isWelcome(
        "server", values, provider, defaults?.server, defaults, "the server, such as social.example", &problems),
      let text = values.string("server", &problems)
    else { return nil }
    do throws(WrittenURLError) {
      let url = try WrittenURL.url(text.contains("://") ? text : "https://\(text)")
      if url.path != "/" || url.query != nil || text.utf8.contains(UInt8(ascii: "#")) {
        values.note("expected a host such as social.example, or its URL without a path", at: "server", &problems)
      } else if let fault = SecureAddress.fault(of: url) {
        values.note(fault, at: "server", &problems)
      }
      return try WrittenURL.url(url.origin)
    } catch {
      values.note("expected a host such as social.example: \(error.description)", at: "server", &problems)
      return nil
    }
  }

  /// Returns the identifier of the authorisation server exactly as written, because it is compared byte by byte (RFC 8414 §3.3). Only
  /// non-ASCII letters in its host are replaced with A-labels.
  static func issuer(
    _ values: KeyedValues, provider: String?, _ defaults: ProviderDefaults?, _ problems: inout Problems
  ) -> String? {
    guard isWelcome("issuer", values, provider, defaults?.issuer, defaults, "the authorisation server", &problems),
      let text = values.string("issuer", &problems)
    else { return nil }
    do throws(WrittenURLError) {
      let ascii = try WrittenURL.inASCII(text)
      let url = try WrittenURL.url(ascii)
      if let fault = SecureAddress.fault(of: url) {
        values.note(fault, at: "issuer", &problems)
      } else if url.query != nil || text.utf8.contains(UInt8(ascii: "#")) {
        values.note("must not have a query or a fragment", at: "issuer", &problems)
      }
      return ascii
    } catch {
      values.note(error.description, at: "issuer", &problems)
      return nil
    }
  }

  /// Reports that an issuer or endpoints are missing, for a provider that needs one of them.
  static func checkIssuer(
    _ endpoints: [String: RequestURL], _ values: KeyedValues, _ defaults: ProviderDefaults?,
    _ problems: inout Problems
  ) {
    // A value that is present but invalid has already been reported.
    guard let defaults, defaults.issuer == .optional, !values.has("issuer") else { return }
    if defaults.hasOwnServer, !values.has("endpoints") { return }
    let given = Set(endpoints.keys)
    let isEnough = given.contains("token") && !given.isDisjoint(with: ["authorize", "device_authorization"])
    if isEnough { return }
    values.note(
      "missing: set issuer, or endpoints with token and at least one of authorize and device_authorization",
      at: "issuer",
      &problems)
  }

  /// Returns whether the key is present and allowed. Reports a forbidden or missing key.
  private static func isWelcome(
    _ key: String, _ values: KeyedValues, _ provider: String?, _ need: ProviderDefaults.Need?,
    _ defaults: ProviderDefaults?, _ meaning: String, _ problems: inout Problems
  ) -> Bool {
    guard let provider, let need else { return false }
    if need == .refused, values.has(key) {
      let advice = defaults?.endpoints.isEmpty == false ? "use endpoints to set another server" : "remove this setting"
      values.note("the provider \(provider) does not support it: \(advice)", atKey: key, &problems)
    }
    if need == .required, !values.has(key) {
      values.note("missing: the provider \(provider) needs \(meaning)", at: key, &problems)
    }
    return need != .refused && values.has(key)
  }
}

extension AccountSettings {
  /// Returns the addresses that replace the provider's own.
  static func endpoints(
    _ values: KeyedValues, provider: String?, _ defaults: ProviderDefaults?, _ scheme: AuthorizationScheme?,
    _ problems: inout Problems
  ) -> [String: RequestURL] {
    if let defaults, defaults.requiresEndpoints, !values.has("endpoints") {
      let names = defaults.schemes.compactMap { defaults.endpoints[$0] }.joined()
      values.note("missing: set \(names.joined(separator: ", "))", at: "endpoints", &problems)
    }
    // The endpoints of an unknown provider are unknown.
    guard let member = values["endpoints"], let provider, let defaults else { return [:] }
    if defaults.endpoints.isEmpty {
      problems.add(
        "the provider \(provider) has no endpoints to replace", at: member.offset, path: values.path(of: "endpoints"))
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
      do throws(WrittenURLError) {
        let url = try WrittenURL.url(text)
        if let fault = SecureAddress.fault(of: url) { urls.note(fault, at: name, &problems) }
        endpoints[name] = url
      } catch { urls.note(error.description, at: name, &problems) }
    }
    return endpoints
  }

  /// Returns the names of the endpoints in the account's scheme, and the reason for refusing the names from other schemes. Returns all
  /// names if the scheme is unknown.
  private static func names(
    _ defaults: ProviderDefaults, _ scheme: AuthorizationScheme?
  ) -> (names: [String], refusals: [String: String]) {
    var all: [String] = []
    for scheme in defaults.schemes { all += (defaults.endpoints[scheme] ?? []).filter { !all.contains($0) } }
    guard let scheme, let names = defaults.endpoints[scheme] else { return (all, [:]) }
    let foreign = all.filter { !names.contains($0) }
    let reason = "not an endpoint of \(scheme.version.name), which this account uses"
    return (names, Dictionary(uniqueKeysWithValues: foreign.map { ($0, reason) }))
  }
}
