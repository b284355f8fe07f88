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
