internal import CCurl

/// The route of a request with an address policy: a direct connection, for which each address is checked before connecting, or a proxy.
struct CheckedRoute {
  /// The proxy's URL; nil for a direct connection.
  let proxy: String?
  /// Whether the host is exempt from the policy.
  let isExempt: Bool
  /// Whether the request may reuse a connection and leave its own open. No address is checked when a connection is reused, so requests with
  /// special permissions never share connections.
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

/// Chooses a request's proxy from the environment variables that libcurl uses (curl(1), "Environment").
///
/// For a request with an address policy, the proxy must be known, because a connection through a proxy goes to the proxy's address.
struct ProxyRules: Sendable {
  private let http: String?
  private let https: String?
  private let exceptions: [Substring]

  init(environment: [String: String]) {
    func first(_ names: String...) -> String? { names.lazy.compactMap { environment[$0] }.first }
    let all = first("all_proxy", "ALL_PROXY")
    // Upper-case HTTP_PROXY is ignored, because CGI sets it from a header field of the request.
    http = (first("http_proxy") ?? all).flatMap { $0.isEmpty ? nil : $0 }
    https = (first("https_proxy", "HTTPS_PROXY") ?? all).flatMap { $0.isEmpty ? nil : $0 }
    let none = first("no_proxy", "NO_PROXY") ?? ""
    exceptions = none.split { $0 == "," || $0 == " " || $0 == "\t" }
  }

  /// Chooses the proxy for a host.
  /// - Parameter host: the host as written in the URL.
  /// - Returns: the URL of the proxy; nil for a direct connection.
  func proxy(isSecure: Bool, host: String) -> String? {
    guard let proxy = isSecure ? https : http else { return nil }
    return exceptions.contains { Self.matches($0, host) } ? nil : proxy
  }

  private static func matches(_ exception: Substring, _ host: String) -> Bool {
    if exception == "*" { return true }
    func normalized(_ text: some StringProtocol) -> String {
      var text = text.lowercased()
      if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
      while text.hasSuffix(".") { text.removeLast() }
      while text.hasPrefix(".") { text.removeFirst() }
      return text
    }
    let (exception, host) = (normalized(exception), normalized(host))
    guard !exception.isEmpty else { return false }
    if let address = NetworkAddress(host: host) { return address.isIn(exception) }
    return host == exception || host.hasSuffix(".\(exception)")
  }
}

extension NetworkAddress {
  /// Returns whether the address equals `network`, or is in it if `network` ends with a slash and a prefix length.
  fileprivate func isIn(_ network: String) -> Bool {
    let parts = network.split(separator: "/", maxSplits: 1)
    guard let base = parts.first.flatMap({ NetworkAddress(host: $0) }) else { return false }
    return shares(parts.count > 1 ? Int(parts[1]) ?? Int.max : Int.max, bitsWith: base)
  }
}
