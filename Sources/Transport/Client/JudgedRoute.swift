internal import CCurl

/// How a request whose reach is judged goes: directly, where each address is judged before it is connected to, or by a proxy.
struct JudgedRoute {
  /// `nil` for a direct connection.
  let proxy: String?
  /// Whether the host may be anywhere, so that nothing is judged.
  let isExempt: Bool
  /// Whether the connection may be kept, and a kept one used, which no address is asked for any more: not by a request that may go where
  /// others may not.
  let keepsConnection: Bool

  /// Decides by the URL as libcurl reads it, since libcurl connects.
  /// - Throws: why the host is not asked.
  init(_ request: ClientRequest, reach: Reach, proxies: ProxyRules) throws(Refusal) {
    guard let url = Self.read(request.url) else { throw Refusal(words: "its address cannot be read") }
    isExempt = reach.exempts(host: url.host, port: url.port)
    keepsConnection = !isExempt && !reach.loopback && !reach.privateNetworks
    let proxy = proxies.proxy(isSecure: url.isSecure, host: url.host)
    // What is meant for this machine never goes through a proxy.
    let isLocal = Reach.place(ofHost: url.host, isResolvedElsewhere: false) == .loopback
    self.proxy = isLocal ? nil : proxy
    if !isExempt, let words = reach.refusal(ofHost: url.host, isResolvedElsewhere: self.proxy != nil) {
      throw Refusal(words: words)
    }
  }

  struct Refusal: Error {
    let words: String
  }

  private static func read(_ text: String) -> (host: String, port: Int, isSecure: Bool)? {
    guard let handle = unsafe curl_url() else { return nil }
    defer { unsafe curl_url_cleanup(handle) }
    guard unsafe curl_url_set(handle, CURLUPART_URL, text, UInt32(CURLU_DISALLOW_USER)) == CURLUE_OK else { return nil }
    func part(_ part: CURLUPart, _ flags: Int32) -> String? {
      var text: UnsafeMutablePointer<CChar>?
      guard unsafe ccurl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK, let text = unsafe text else {
        return nil
      }
      defer { unsafe curl_free(text) }
      return unsafe String(cString: text)
    }
    guard let host = part(CURLUPART_HOST, CURLU_URLDECODE), let scheme = part(CURLUPART_SCHEME, 0),
      let port = part(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap({ Int($0) })
    else { return nil }
    return (host, port, scheme == "https")
  }
}
