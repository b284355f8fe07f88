internal import CCurl
internal import Dispatch
internal import HTTP
internal import Platform

/// What holds for every transfer of a client.
package struct ClientPolicy: Sendable {
  /// From the start of a request to the last byte of its answer.
  package var totalTimeout: Duration = .seconds(30)
  /// Within the total one: name look-up, connection and TLS.
  package var connectTimeout: Duration = .seconds(10)
  /// Bytes of a body after decompression: sixteen times the largest page seen (1 MB), so that no answer can fill the memory.
  package var responseLimit = 16 << 20
  /// Bytes of all header fields of an answer.
  package var headerLimit = 64 << 10
  package var userAgent: String
  /// Files and folders of certificates besides the system's own.
  package var authorityFile: String?
  package var authorityFolder: String?
  /// Whether the user has named certificates instead of the system's.
  var namesAuthorities: Bool { authorityFile != nil || authorityFolder != nil }
  /// Hosts that are never asked through a proxy, besides loopback.
  package var noProxy: String?
  /// Which proxy is used, for requests whose reach is judged; for the others libcurl finds that out by itself.
  let proxies: ProxyRules

  /// - Parameter environment: `CURL_CA_BUNDLE`, `SSL_CERT_FILE`, `SSL_CERT_DIR` and `no_proxy` are read here, since the library
  ///   itself does not look at the first three; the proxies' own variables it reads by itself (curl(1), "Environment").
  package init(userAgent: String, environment: [String: String]) {
    func first(_ names: String...) -> String? { names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } }
    self.userAgent = userAgent
    authorityFile = first("CURL_CA_BUNDLE", "SSL_CERT_FILE")
    authorityFolder = first("SSL_CERT_DIR")
    noProxy = first("no_proxy", "NO_PROXY")
    proxies = ProxyRules(environment: environment)
  }
}
