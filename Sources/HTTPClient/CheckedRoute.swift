internal import CCurl

/// How a request whose reach is judged goes: directly, where each address is judged before it is connected to, or by a proxy.
struct CheckedRoute {
  /// `nil` for a direct connection.
  let proxy: String?
  /// Whether the host may be anywhere, so that nothing is judged.
  let isExempt: Bool
  /// Whether the connection may be kept, and a kept one used, which no address is asked for any more: not by a request that may go where
  /// others may not.
  let keepsConnection: Bool

  /// Decides by the URL as libcurl reads it, since libcurl connects.
  /// - Throws: why the host is not asked.
  init(_ request: ClientRequest, reach: AddressPolicy, proxies: ProxyRules) throws(Refusal) {
    guard let url = Self.read(request.url) else { throw Refusal(words: "its address cannot be read") }
    isExempt = reach.exempts(host: url.host, port: url.port)
    keepsConnection = !isExempt && !reach.loopback && !reach.privateNetworks
    let proxy = proxies.proxy(isSecure: url.isSecure, host: url.host)
    // What is meant for this machine never goes through a proxy.
    let isLocal = AddressPolicy.place(ofHost: url.host, isResolvedElsewhere: false) == .loopback
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

/// Which proxy a request goes through, by the variables that libcurl reads (curl(1), "Environment").
///
/// A request whose reach is judged has to know that for certain: the address of its connection is the proxy's then.
struct ProxyRules: Sendable {
  private let http: String?
  private let https: String?
  private let exceptions: [Substring]

  init(environment: [String: String]) {
    func first(_ names: String...) -> String? { names.lazy.compactMap { environment[$0] }.first }
    let all = first("all_proxy", "ALL_PROXY")
    // HTTP_PROXY in capitals is a header field of a request where a web server runs programs.
    http = (first("http_proxy") ?? all).flatMap { $0.isEmpty ? nil : $0 }
    https = (first("https_proxy", "HTTPS_PROXY") ?? all).flatMap { $0.isEmpty ? nil : $0 }
    let none = first("no_proxy", "NO_PROXY") ?? ""
    exceptions = none.split { $0 == "," || $0 == " " || $0 == "\t" }
  }

  /// - Parameter host: as in the URL.
  /// - Returns: `nil` where the host is asked directly.
  func proxy(isSecure: Bool, host: String) -> String? {
    guard let proxy = isSecure ? https : http else { return nil }
    return exceptions.contains { Self.matches($0, host) } ? nil : proxy
  }

  private static func matches(_ exception: Substring, _ host: String) -> Bool {
    if exception == "*" { return true }
    func plain(_ text: some StringProtocol) -> String {
      var text = text.lowercased()
      if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
      while text.hasSuffix(".") { text.removeLast() }
      while text.hasPrefix(".") { text.removeFirst() }
      return text
    }
    let (exception, host) = (plain(exception), plain(host))
    guard !exception.isEmpty else { return false }
    if let address = NetworkAddress(host: host) { return address.isIn(exception) }
    return host == exception || host.hasSuffix(".\(exception)")
  }
}

extension NetworkAddress {
  /// Whether it is the address, or in the network with a number of bits behind a slash.
  fileprivate func isIn(_ network: String) -> Bool {
    let parts = network.split(separator: "/", maxSplits: 1)
    guard let base = parts.first.flatMap({ NetworkAddress(host: $0) }) else { return false }
    return shares(parts.count > 1 ? Int(parts[1]) ?? Int.max : Int.max, bitsWith: base)
  }
}
