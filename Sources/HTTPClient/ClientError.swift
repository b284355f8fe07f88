internal import CCurl
package import HTTP

/// The reason a request received no complete response. A response with an error status does not count as an error.
package struct ClientError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// The host name did not resolve, or the connection was refused.
    case unreachable
    case timedOut
    /// The server's certificate was rejected or the TLS handshake failed.
    case tls
    /// The response is larger than the limit.
    case tooLarge
    /// The connection broke, or the server did not send a valid HTTP response.
    case broken
    /// The request was cancelled, or the client is stopping.
    case cancelled
    /// The ``AddressPolicy`` does not allow the host or its address. No connection was made.
    case forbidden
    /// The request cannot be sent, for example because its URL is malformed.
    case unsendable
    /// A streamed body could not be read or written on this machine.
    case local
  }

  package let kind: Kind
  /// The host and port of the server. The error does not contain the full URL, because its query may contain a secret.
  let server: String
  /// A description of the cause, usually from libcurl.
  let message: String
  /// A sentence that tells the user how to fix the problem.
  let advice: String?
  /// Whether the request may have reached the server.
  package let wasSent: Bool
  /// The part of the response that was received before the connection failed, if the request asks for it (`ResponseRules.keepsPartial`).
  package let received: Response?

  package init(
    kind: Kind, server: String, message: String, advice: String? = nil, wasSent: Bool = true, received: Response? = nil
  ) {
    self.advice = advice
    self.received = received
    self.wasSent = wasSent
    self.kind = kind
    self.server = server
    self.message = message
  }

  package var description: String { cause + (advice.map { ". \($0)" } ?? "") }

  private var cause: String {
    switch kind {
    case .unreachable: "\(server) cannot be reached: \(message)"
    case .timedOut: "\(server) did not respond in time: \(message)"
    case .tls: "cannot connect securely to \(server): \(message)"
    case .tooLarge: "the response from \(server) is too large: \(message)"
    case .broken: "the connection to \(server) broke: \(message)"
    case .cancelled: "the request to \(server) was cancelled"
    case .forbidden: "connecting to \(server) is not allowed: \(message)"
    case .unsendable: "the request to \(server) cannot be sent: \(message)"
    case .local: message
    }
  }
}

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
