internal import CCurl

/// The route of a request with an address policy: a direct connection, whose addresses are checked before connecting, or a proxy.
struct CheckedRoute {
  /// The proxy's URL; nil for a direct connection.
  let proxy: String?
  /// Whether the host is exempt from the policy.
  let isExempt: Bool
  /// Whether the request may reuse a connection and leave its own open. Reusing a connection checks no address, so requests with special
  /// permissions never share connections.
  let keepsConnection: Bool

  /// Chooses the route. The URL is parsed by libcurl, because libcurl opens the connection.
  /// - Throws: `ForbiddenHostError` with the reason if the policy forbids the host.
  init(_ request: ClientRequest, policy: AddressPolicy, proxies: ProxyRules) throws(ForbiddenHostError) {
    guard let url = Self.read(request.url) else { throw ForbiddenHostError(reason: "its URL is malformed") }
    isExempt = policy.exempts(host: url.host, port: url.port)
    keepsConnection = !isExempt && !policy.loopback && !policy.privateNetworks
    let proxy = proxies.proxy(isSecure: url.isSecure, host: url.host)
    // Requests to this machine never use a proxy.
    let isLocal = AddressPolicy.scope(ofHost: url.host, isResolvedByProxy: false) == .loopback
    self.proxy = isLocal ? nil : proxy
    if !isExempt, let reason = policy.objection(toHost: url.host, isResolvedByProxy: self.proxy != nil) {
      throw ForbiddenHostError(reason: reason)
    }
  }

  struct ForbiddenHostError: Error {
    let reason: String
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
