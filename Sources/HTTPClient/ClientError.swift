internal import CCurl
package import HTTP

/// Why no answer was had. An answer with an error status is an answer.
package struct ClientError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// The name did not resolve, or nobody took the connection.
    case unreachable
    case timedOut
    /// The server's certificate or the TLS handshake was refused.
    case tls
    /// The answer is larger than the limit.
    case tooLarge
    /// The connection broke, or what came is no HTTP answer.
    case broken
    /// The request was given up by its sender, or the client is stopping.
    case cancelled
    /// The host, or where it leads, is not to be asked (``AddressPolicy``). Nothing was sent, and no connection was made.
    case forbidden
    /// The request itself cannot be sent: a URL that is none, say.
    case unsendable
  }

  package let kind: Kind
  /// The server, as host and port; never the whole URL, whose query may hold a secret.
  let server: String
  /// libcurl's own words.
  let words: String
  /// What the user can do about it; a sentence.
  let advice: String?
  /// Whether the request may have come to the server.
  package let wasSent: Bool
  /// What had come of the answer when it broke off, if the request asked for that (`ResponseRules.keepsPartial`).
  package let received: Response?

  package init(
    kind: Kind, server: String, words: String, advice: String? = nil, wasSent: Bool = true, received: Response? = nil
  ) {
    self.advice = advice
    self.received = received
    self.wasSent = wasSent
    self.kind = kind
    self.server = server
    self.words = words
  }

  package var description: String { trouble + (advice.map { ". \($0)" } ?? "") }

  private var trouble: String {
    switch kind {
    case .unreachable: "\(server) cannot be reached: \(words)"
    case .timedOut: "\(server) did not answer in time: \(words)"
    case .tls: "no secure connection to \(server): \(words)"
    case .tooLarge: "the answer of \(server) is too large: \(words)"
    case .broken: "the connection to \(server) broke: \(words)"
    case .cancelled: "the request to \(server) was given up"
    case .forbidden: "\(server) is not asked: \(words)"
    case .unsendable: "the request to \(server) cannot be sent: \(words)"
    }
  }
}

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
