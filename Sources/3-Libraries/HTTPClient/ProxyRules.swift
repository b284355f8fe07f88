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
