internal import CCurl

/// What a user can do about a connection that was not had.
enum ClientAdvice {
  /// - Parameters:
  ///   - words: libcurl's own, which hold OpenSSL's reason.
  ///   - namesAuthorities: whether the certificates to trust are those that the environment names.
  /// - Returns: a sentence, without its full stop; `nil` where there is nothing particular to do.
  static func after(_ code: CURLcode, words: String, namesAuthorities: Bool) -> String? {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST:
      "Check the name, and whether this machine is online and has a name server (getent hosts NAME)"
    case CURLE_COULDNT_RESOLVE_PROXY: "Check the name of the proxy in https_proxy, http_proxy or all_proxy"
    case CURLE_SSL_CACERT_BADFILE:
      namesAuthorities
        ? "Check the path in CURL_CA_BUNDLE, SSL_CERT_FILE or SSL_CERT_DIR"
        : "The certificates to trust are missing: install the package ca-certificates"
    case CURLE_SSL_CONNECT_ERROR where isPlain(words):
      "What listens at this port does not speak TLS: check the port, or write http:// for a server on this machine"
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
      "Its certificate must be valid; a private CA is named by CURL_CA_BUNDLE. "
        + "Where every server is refused, install the package ca-certificates and check the clock, "
        + "or open a browser: a Wi-Fi login page may be in between"
    default: nil
    }
  }

  /// OpenSSL's reasons for an answer that is no TLS record.
  private static func isPlain(_ words: String) -> Bool {
    ["wrong version number", "packet length too long", "http request"].contains { words.contains($0) }
  }
}
