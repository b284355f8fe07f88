internal import CCurl

/// Advice for users about failed connections.
enum ClientAdvice {
  /// Returns advice on a failed connection.
  /// - Parameters:
  ///   - message: libcurl's error message, which includes OpenSSL's reason.
  ///   - namesAuthorities: whether environment variables specify the trusted certificates.
  /// - Returns: the advice, without a full stop; nil if there is no specific advice.
  static func after(_ code: CURLcode, message: String, namesAuthorities: Bool) -> String? {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST:
      "Check the host name and this machine's network connection and DNS (getent hosts NAME)"
    case CURLE_COULDNT_RESOLVE_PROXY: "Check the name of the proxy in https_proxy, http_proxy or all_proxy"
    case CURLE_SSL_CACERT_BADFILE:
      namesAuthorities
        ? "Check the path in CURL_CA_BUNDLE, SSL_CERT_FILE or SSL_CERT_DIR"
        : "The trusted certificates are missing: install the package ca-certificates"
    case CURLE_SSL_CONNECT_ERROR where isPlain(message):
      "The server at this port does not speak TLS: check the port, or use http:// for a server on this machine"
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
      "The server needs a valid certificate; for a private CA, set CURL_CA_BUNDLE. "
        + "If all servers fail, install the package ca-certificates, check the clock, "
        + "and open a browser to look for a Wi-Fi login page"
    default: nil
    }
  }

  /// Returns whether OpenSSL received something other than a TLS record.
  private static func isPlain(_ message: String) -> Bool {
    ["wrong version number", "packet length too long", "http request"].contains { message.contains($0) }
  }
}
