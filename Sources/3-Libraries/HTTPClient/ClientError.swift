package import HTTP

/// The reason a request received no complete response. A response with an error status does not count as an error.
package struct ClientError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// The host name did not resolve, or the connection was refused.
    case unreachable
    case timedOut
    /// The server's certificate was refused or the TLS handshake failed.
    case tls
    /// The response is larger than the limit.
    case tooLarge
    /// The connection broke, or the server did not send a valid HTTP response.
    case broken
    /// The response is compressed in a way that libcurl cannot decode.
    case undecodable
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
  /// The part of the response received before the connection failed, if the request asks for it (`ResponseRules.keepsPartial`).
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

  /// The description without the advice.
  package var cause: String {
    switch kind {
    case .unreachable: "\(server) cannot be reached: \(message)"
    case .timedOut: "\(server) did not respond in time: \(message)"
    case .tls: "cannot connect securely to \(server): \(message)"
    case .tooLarge: "the response from \(server) is too large: \(message)"
    case .broken: "the connection to \(server) broke: \(message)"
    case .undecodable: "\(server) compressed its response with “\(message)”, which homeline cannot decode"
    case .cancelled: "the request to \(server) was cancelled"
    case .forbidden: "connecting to \(server) is not allowed: \(message)"
    case .unsendable: "the request to \(server) cannot be sent: \(message)"
    case .local: message
    }
  }
}
