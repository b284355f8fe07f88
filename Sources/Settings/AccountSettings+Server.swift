internal import HomelineOAuth

/// Where an account is: at a server of many, or at an authorisation server of its own.
extension AccountSettings {
  /// The origin of the server, however it is written: `social.example`, or its https address.
  static func server(
    _ values: KeyedValues, provider: String?, _ defaults: ProviderDefaults?, _ problems: inout Problems
  ) -> RequestURL? {
    guard
      isWelcome(
        "server", values, provider, defaults?.server, defaults, "the server, such as social.example", &problems),
      let text = values.string("server", &problems)
    else { return nil }
    do throws(RequestURLError) {
      let url = try RequestURL(text.contains("://") ? text : "https://\(text)")
      if url.path != "/" || url.query != nil || text.utf8.contains(UInt8(ascii: "#")) {
        values.note("expected a host such as social.example, or its address without a path", at: "server", &problems)
      } else if let fault = SecureAddress.fault(of: url) {
        values.note(fault, at: "server", &problems)
      }
      return try RequestURL(url.origin)
    } catch {
      values.note("expected a host such as social.example: \(error.description)", at: "server", &problems)
      return nil
    }
  }

  /// The identifier of the authorisation server, exactly as it is written: it is compared byte by byte (RFC 8414 §3.3).
  static func issuer(
    _ values: KeyedValues, provider: String?, _ defaults: ProviderDefaults?, _ problems: inout Problems
  ) -> String? {
    guard isWelcome("issuer", values, provider, defaults?.issuer, defaults, "the authorisation server", &problems),
      let text = values.string("issuer", &problems)
    else { return nil }
    do throws(RequestURLError) {
      let url = try RequestURL(text)
      if let fault = SecureAddress.fault(of: url) {
        values.note(fault, at: "issuer", &problems)
      } else if url.query != nil || text.utf8.contains(UInt8(ascii: "#")) {
        values.note("must not have a query or a fragment", at: "issuer", &problems)
      }
    } catch { values.note(error.description, at: "issuer", &problems) }
    return text
  }

  /// Notes what is missing for an account whose provider is known by its issuer or by its addresses.
  static func checkIssuer(
    _ endpoints: [String: RequestURL], _ values: KeyedValues, _ defaults: ProviderDefaults?,
    _ problems: inout Problems
  ) {
    // What stands there and is wrong has been noted.
    guard defaults?.issuer == .optional, !values.has("issuer") else { return }
    let given = Set(endpoints.keys)
    let isEnough = given.contains("token") && !given.isDisjoint(with: ["authorize", "device_authorization"])
    if isEnough { return }
    values.note(
      "missing: give issuer, or endpoints with token and one of authorize and device_authorization", at: "issuer",
      &problems)
  }

  /// Whether the key stands there and may; notes it when it must not, or is missing.
  private static func isWelcome(
    _ key: String, _ values: KeyedValues, _ provider: String?, _ need: ProviderDefaults.Need?,
    _ defaults: ProviderDefaults?, _ meaning: String, _ problems: inout Problems
  ) -> Bool {
    guard let provider, let need else { return false }
    if need == .refused, values.has(key) {
      let advice = defaults?.endpoints.isEmpty == false ? "use endpoints to ask another server" : "leave it out"
      values.note("the provider \(provider) does not take it: \(advice)", atKey: key, &problems)
    }
    if need == .required, !values.has(key) {
      values.note("missing: the provider \(provider) needs \(meaning)", at: key, &problems)
    }
    return need != .refused && values.has(key)
  }
}
