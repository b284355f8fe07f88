internal import CCurl
internal import Dispatch
internal import HTTP
internal import Platform

/// Timeouts, limits and settings for all transfers of a client.
package struct ClientPolicy: Sendable {
  /// The time limit for a request, from its start to the last byte of the response.
  package var totalTimeout: Duration = .seconds(30)
  /// The time limit for name resolution, connection and TLS handshake, as part of the total limit.
  package var connectTimeout: Duration = .seconds(10)
  /// The maximum size of a body in bytes after decompression. The limit is sixteen times the size of the largest known page (1 MB).
  package var responseLimit = 16 << 20
  /// The maximum total size of a response's header fields in bytes.
  package var headerLimit = 64 << 10
  package var userAgent: String
  /// A file with trusted certificates, which replaces the system's.
  package var authorityFile: String?
  /// A folder with trusted certificates, which replaces the system's.
  package var authorityFolder: String?
  /// Whether the user specified trusted certificates.
  var namesAuthorities: Bool { authorityFile != nil || authorityFolder != nil }
  /// Hosts contacted without a proxy, in addition to loopback.
  package var noProxy: String?
  /// The proxy settings for requests with an address policy. For other requests libcurl reads the environment itself.
  let proxies: ProxyRules

  /// - Parameter environment: the source of `CURL_CA_BUNDLE`, `SSL_CERT_FILE`, `SSL_CERT_DIR` and `no_proxy`. Unlike the curl command,
  ///   libcurl ignores the first three variables. libcurl reads the other proxy variables itself (curl(1), "Environment").
  package init(userAgent: String, environment: [String: String]) {
    func first(_ names: String...) -> String? { names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } }
    self.userAgent = userAgent
    authorityFile = first("CURL_CA_BUNDLE", "SSL_CERT_FILE")
    authorityFolder = first("SSL_CERT_DIR")
    noProxy = first("no_proxy", "NO_PROXY")
    proxies = ProxyRules(environment: environment)
  }
}
