internal import Bytes
internal import HTTPClient

/// Decides which picture URLs are requested. The URLs come from posts, so anyone may have written them. Except for the provider and the
/// hosts that the user permits, no URL can make this program send requests to this machine or a private network.
package struct MediaAddress: Sendable {
  /// The permitted hosts: public hosts, the provider's own hosts, and the private hosts that the user lists.
  let reach: AddressPolicy

  /// - Parameters:
  ///   - host: the provider's scheme, host and port.
  ///   - privateHosts: the hosts in `media.private_hosts`.
  init(provider host: String, privateHosts: Set<String> = []) {
    guard let provider = try? RequestURL(host) else {
      reach = AddressPolicy(hosts: privateHosts)
      return
    }
    let port = provider.port ?? (provider.isHTTPS ? 443 : 80)
    reach = AddressPolicy(trusting: provider.host, hosts: privateHosts.union(["\(provider.host):\(port)"]))
  }

  /// Returns the URL to request for a picture. Plain http is used only for this machine; other http URLs are requested with TLS.
  /// - Returns: `nil` if the picture must not be requested.
  func asked(for url: String) -> String? {
    guard let parsed = try? RequestURL(url) else { return nil }
    if parsed.isLoopback { return mayAsk(loopback: parsed) ? parsed.text : nil }
    if parsed.isHTTPS { return parsed.text }
    guard parsed.port == nil || parsed.port == 80 else { return nil }
    return "https://\(parsed.host)\(parsed.path)\(parsed.query.map { "?\($0)" } ?? "")"
  }

  /// Returns whether a URL, such as the target of a redirect, may be requested unchanged. Its host's addresses are checked later, when a
  /// connection is made.
  func mayAsk(_ url: String) -> Bool {
    guard let parsed = try? RequestURL(url) else { return false }
    return parsed.isLoopback ? mayAsk(loopback: parsed) : parsed.isHTTPS
  }

  private func mayAsk(loopback url: RequestURL) -> Bool { reach.loopback || reach.hosts.contains(url.host) }
}
