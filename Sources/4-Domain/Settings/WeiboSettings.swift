/// The settings that Weibo requires for publishing posts.
package struct WeiboSettings: Sendable, Hashable {
  /// The domain registered for the application, in lower case. A link in each post must lead to it.
  package var safeDomain: String?
  /// The user's public IP address, which Weibo requires from some applications (`rip`).
  package var userAddress: String?

  package init(safeDomain: String? = nil, userAddress: String? = nil) {
    self.safeDomain = safeDomain
    self.userAddress = userAddress
  }
}

extension WeiboSettings {
  static let keys = ["safe_domain", "rip"]

  /// Reads an account's `weibo`. Invalid settings are reported.
  init(_ values: KeyedValues, provider: String?, _ problems: inout Problems) {
    self.init()
    guard let provider, let member = values["weibo"] else { return }
    guard provider == "weibo" else {
      values.note("the provider \(provider) is not Weibo: remove this setting", atKey: "weibo", &problems)
      return
    }
    guard
      let weibo = KeyedValues(
        member.value, path: values.path(of: "weibo"), offset: member.offset, keys: Self.keys, &problems)
    else { return }
    if let domain = weibo.string("safe_domain", &problems) {
      if let host = WrittenURL.host(domain), host.contains(".") {
        safeDomain = host
      } else {
        weibo.note(
          "expected a domain such as \"example.com\", found \(DisplayText.quoted(domain))", at: "safe_domain", &problems
        )
      }
    }
    if let address = weibo.string("rip", &problems) {
      if Self.isAddress(address) {
        userAddress = address
      } else {
        weibo.note(
          "expected an IP address such as \"203.0.113.7\", found \(DisplayText.quoted(address))", at: "rip", &problems)
      }
    }
  }

  /// Returns whether a string can be an IPv4 or IPv6 address. Weibo checks it more strictly.
  private static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count == 4 { return parts.allSatisfy { $0.utf8.count <= 3 && UInt8($0) != nil } }
    return text.contains(":") && text.utf8.count <= 45
      && text.utf8.allSatisfy { ":.0123456789abcdefABCDEF".utf8.contains($0) }
  }
}
