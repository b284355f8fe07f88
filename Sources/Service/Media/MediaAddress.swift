internal import HomelineOAuth
internal import Transport

/// Which addresses of pictures are asked. They come out of posts, so anybody may have written them: none may make this program ask this
/// machine's own services, or those of a private network.
struct MediaAddress: Sendable {
  /// Where the machines may be: beside the provider itself, and at the hosts that the user names.
  let reach: Reach

  /// - Parameters:
  ///   - host: the provider's scheme, host and port.
  ///   - privateHosts: as `media.private_hosts` names them.
  init(provider host: String, privateHosts: Set<String> = []) {
    guard let provider = try? RequestURL(host) else {
      reach = Reach(hosts: privateHosts)
      return
    }
    let port = provider.port ?? (provider.isHTTPS ? 443 : 80)
    reach = Reach(besides: provider.host, hosts: privateHosts.union(["\(provider.host):\(port)"]))
  }

  /// Where a picture is asked for. Plain http is for this machine only; elsewhere the same address is asked with TLS.
  /// - Returns: `nil` for one that is not asked at all.
  func asked(for url: String) -> String? {
    guard let parsed = try? RequestURL(url) else { return nil }
    if parsed.isLoopback { return mayAsk(loopback: parsed) ? parsed.text : nil }
    if parsed.isHTTPS { return parsed.text }
    guard parsed.port == nil || parsed.port == 80 else { return nil }
    return "https://\(parsed.host)\(parsed.path)\(parsed.query.map { "?\($0)" } ?? "")"
  }

  /// Whether an address may be asked as it stands, such as one that a redirect leads to. Where its name leads is judged later, when it
  /// is connected to.
  func mayAsk(_ url: String) -> Bool {
    guard let parsed = try? RequestURL(url) else { return false }
    return parsed.isLoopback ? mayAsk(loopback: parsed) : parsed.isHTTPS
  }

  private func mayAsk(loopback url: RequestURL) -> Bool { reach.loopback || reach.hosts.contains(url.host) }
}
