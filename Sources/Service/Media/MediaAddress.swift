internal import HomelineOAuth

/// Which addresses of pictures are asked. They come out of posts, so anybody may have written them: none may make this program ask this
/// machine's own services.
struct MediaAddress: Sendable {
  /// Whether the provider itself is on this machine; then its pictures may be, too.
  let isProviderLocal: Bool

  /// - Parameter host: scheme, host and port.
  init(provider host: String) { isProviderLocal = (try? RequestURL(host))?.isLoopback ?? false }

  /// Where a picture is asked for. Plain http is for this machine only; elsewhere the same address is asked with TLS.
  /// - Returns: `nil` for one that is not asked at all.
  func asked(for url: String) -> String? {
    guard let parsed = try? RequestURL(url) else { return nil }
    if parsed.isLoopback { return isProviderLocal ? parsed.text : nil }
    if parsed.isHTTPS { return parsed.text }
    guard parsed.port == nil || parsed.port == 80 else { return nil }
    return "https://\(parsed.host)\(parsed.path)\(parsed.query.map { "?\($0)" } ?? "")"
  }

  /// Whether an address may be asked as it stands, such as one that a redirect leads to.
  func mayAsk(_ url: String) -> Bool {
    guard let parsed = try? RequestURL(url) else { return false }
    return parsed.isLoopback ? isProviderLocal : parsed.isHTTPS
  }
}
